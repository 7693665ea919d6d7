-- The tenants that the other views show: the live ones in usance_docs, the test tenants in usance_docs_test. document-views.ts fills in the
-- kind for each schema.
create view usance_docs.shown_tenants as
select t.id from usance.tenants t where t.kind = :kind;

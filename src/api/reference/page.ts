export const DOCS_POLICY = "default-src 'none'";
export const docsPage = (_document: object): string => '<!doctype html><title>usance</title>';

// The schema as the catalogue has it, as text: committed, and compared by a test, so that a reviewer sees what a
// migration really did and no server version or order of migrations changes the outcome unseen.
import { asText } from './rows.ts';
import type { Sql } from './sql.ts';

export async function describeSchema(sql: Sql, schema = 'usance'): Promise<string> {
  const sections = await Promise.all(
    QUERIES.map(async ([title, text]) => {
      const rows = await sql.query(text, [schema]);
      return `-- ${title}\n${rows.map((row) => asText(row['line'])).join('\n')}\n`;
    }),
  );
  return sections.join('\n');
}

// Partitions are left out: which months exist depends on the day.
const QUERIES: readonly (readonly [string, string])[] = [
  [
    'columns',
    `select format('%s.%s %s%s%s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
            case when a.attnotnull then ' not null' else '' end,
            coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '')) as line
     from pg_class c
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
     where c.relnamespace = $1::text::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
     order by c.relname, a.attnum`,
  ],
  [
    'storage',
    `select format('%s%s%s', c.relname, coalesce(' partition by ' || pg_get_partkeydef(c.oid), ''),
            coalesce(' with ' || array_to_string(c.reloptions, ', '), '')) as line
     from pg_class c
     where c.relnamespace = $1::text::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
     order by c.relname`,
  ],
  [
    'constraints',
    // Not-null constraints are rows of their own from PostgreSQL 18 on; the columns say it already.
    `select format('%s %s %s', c.relname, k.conname, pg_get_constraintdef(k.oid)) as line
     from pg_constraint k join pg_class c on c.oid = k.conrelid
     where c.relnamespace = $1::text::regnamespace and not c.relispartition and k.contype in ('p', 'u', 'f', 'c', 'x')
     order by c.relname, k.conname`,
  ],
  [
    'indexes',
    `select pg_get_indexdef(i.indexrelid) as line
     from pg_index i join pg_class c on c.oid = i.indrelid join pg_class x on x.oid = i.indexrelid
     where c.relnamespace = $1::text::regnamespace and not c.relispartition
     order by c.relname, x.relname`,
  ],
  [
    'triggers',
    `select pg_get_triggerdef(t.oid) as line
     from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where c.relnamespace = $1::text::regnamespace and not c.relispartition and not t.tgisinternal
     order by c.relname, t.tgname`,
  ],
  [
    'functions',
    `select format('%s(%s) %s', p.proname, pg_get_function_identity_arguments(p.oid), md5(p.prosrc)) as line
     from pg_proc p where p.pronamespace = $1::text::regnamespace
     order by p.proname`,
  ],
  [
    'rights of usance_runtime',
    `select format('%s %s', c.relname, string_agg(lower(x.privilege_type), ', ' order by x.privilege_type)) as line
     from pg_class c, aclexplode(c.relacl) x join pg_roles r on r.oid = x.grantee
     where c.relnamespace = $1::text::regnamespace and c.relkind in ('r', 'p') and r.rolname = 'usance_runtime'
     group by c.relname order by c.relname`,
  ],
];

// The reference of variables as text, from the table in config.ts. A test compares both files with what is written here.
import { VARIABLES } from '../src/config.ts';
import type { Variable } from '../src/config.ts';

const rows: readonly Variable[] = VARIABLES;

/** `.env.example`: everything is commented out, because nothing has to be set to start. */
export function envExample(): string {
  const blocks = rows.map((row) => {
    const value = row.example ?? row.default ?? '';
    return [...wrapped(`${row.says}${inProduction(row)}`).map((line) => `# ${line}`), `#${row.name}=${value}`].join(
      '\n',
    );
  });
  return `# Copy to .env, which is read at every start; what the environment has wins. Nothing here has to be set.
# Written from src/config.ts by "npm run docs:config".

${blocks.join('\n\n')}
`;
}

/** `docs/reference/configuration.md`. */
export function configurationPage(): string {
  const lines = rows.map(
    (row) => `| \`${row.name}\` | ${row.default === null ? '–' : `\`${row.default}\``} | ${row.for} | ${row.says} |`,
  );
  const needed = rows.flatMap((row) =>
    row.neededBy
      ? [`- \`${row.name}\` missing, for ${row.neededBy.map((command) => `\`${command}\``).join(', ')}`]
      : [],
  );
  const refused = rows.flatMap((row) => (row.notInProduction ? [`- \`${row.name}\` set, for every command`] : []));
  return `# Configuration

Written from \`src/config.ts\` by \`npm run docs:config\`. Every variable the program reads is here. A \`.env\` file in the
working folder is read at every start; what the environment has wins over it. A value that cannot be is one clear line and
exit code 3.

| variable | default | read by | what it does |
|---|---|---|---|
${lines.join('\n')}

## What production refuses
With \`NODE_ENV=production\` a command does not start with

${[...needed, ...refused].join('\n')}
- the command \`dev\`, which makes a demo tenant and prints a key; \`npm start\` is \`usance api\` then

\`createUsance\` with \`simulateFailures\`, \`outbound.loopback\` or \`chains.sandbox\` is refused there too, before it opens anything.

A variable that only one command reads does not keep the others from starting: a processor needs no \`PORT\`.
`;
}

function inProduction(row: Variable): string {
  if (row.notInProduction) return ' Refused in production.';
  return row.neededBy ? ' Required in production.' : '';
}

const WIDTH = 110;

function wrapped(text: string): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last !== '' && last.length + word.length + 1 > WIDTH) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines;
}

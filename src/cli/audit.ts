// `usance audit anchor`: the ends of the chains of the record, to be kept where whoever can change the database cannot reach.
// The worker does the same every so often; this is for a cron, or for the moment before something is handed over.
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import { appendAnchors } from '../engine.ts';
import type { CommonOptions } from './run.ts';
import { run, withUsance } from './run.ts';
import type { Screen } from './screen.ts';
import { aligned, counted } from './screen.ts';
import { EXIT } from './trouble.ts';

interface AnchorOptions extends CommonOptions {
  readonly file?: string;
}

export function addAudit(program: Command): void {
  const audit = program
    .command('audit')
    .description('the record of who did what')
    .addHelpText('after', '\nExample:\n  usance audit anchor --file anchors.jsonl');
  audit
    .command('anchor')
    .description('show where the chain of the record ends, and keep it in a file')
    .option('--file <file>', 'append to this file instead of the one in USANCE_ANCHOR_FILE')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  usance audit anchor --file anchors.jsonl')
    .action((options: AnchorOptions) => run('audit', options, (screen, config) => anchor(screen, config, options)));
}

function anchor(screen: Screen, config: Config, options: AnchorOptions): Promise<number> {
  return withUsance(screen, config, { existing: true }, async (engine) => {
    const anchors = await engine.anchors();
    const file = options.file ?? config.anchorFile;
    if (file !== null) await appendAnchors(file, anchors);
    const names = new Map((await engine.tenants()).map((tenant) => [tenant.id, tenant.name]));
    const rows = anchors.map(({ tenant, seq, hash }) => [names.get(tenant) ?? tenant, seq.toString(), hash]);
    for (const line of aligned(rows)) screen.line(line);
    screen.line(
      file === null
        ? 'Kept nowhere: name a --file, or set USANCE_ANCHOR_FILE.'
        : `${counted(anchors.length, 'anchor')} appended to ${file}. "usance verify --anchor ${file}" checks against them.`,
    );
    screen.document({ file, anchors });
    return EXIT.fine;
  });
}

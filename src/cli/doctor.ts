// `usance doctor`: prints what src/ops finds.
import { join } from 'node:path';
import type { Command } from 'commander';
import { Option } from 'commander';
import type { Config } from '../config.ts';
import { productionProblems } from '../config.ts';
import type { Finding } from '../engine.ts';
import { KEY_FILE, examine } from '../engine.ts';
import type { CommonOptions } from './run.ts';
import { run } from './run.ts';
import type { Screen } from './screen.ts';
import { counted, green, red, yellow } from './screen.ts';
import { EXIT } from './trouble.ts';

export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .description('check this machine, the database and the schema, and print how to fix each problem')
    .addOption(new Option('--for <command>', 'check the environment only for this command').choices([...SERVICES]))
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nExample:\n  DATABASE_URL=postgres://app@db/app usance doctor --for processor\n\nExits with 1 if a check failed; warnings do not count.',
    )
    .action((options: DoctorOptions) =>
      run('doctor', options, (screen, config) => doctor(screen, config, options.for ? [options.for] : SERVICES)),
    );
}

const SERVICES = ['api', 'scheduler', 'processor', 'worker'] as const;

type Service = (typeof SERVICES)[number];

interface DoctorOptions extends CommonOptions {
  readonly for?: Service;
}

const MARKS = { ok: green('ok  '), warn: yellow('warn'), fail: red('FAIL') };
const NAME_WIDTH = 17;

async function doctor(screen: Screen, config: Config, services: readonly Service[]): Promise<number> {
  const problems = productionProblems(services);
  const patient = {
    ...config,
    databaseUrl: config.databaseUrl ?? config.ownerUrl,
    encryption: { ...config.encryption, keyFile: config.production ? null : join(config.dataDir, KEY_FILE) },
    environment: { problems, warnings: config.warnings },
    onNotice: screen.notice,
  };
  const findings = await examine(patient, (finding) => {
    screen.line(`  ${MARKS[finding.level]}  ${finding.name.padEnd(NAME_WIDTH)}${finding.says}`);
    if (finding.todo !== null) screen.line(`${' '.repeat(8 + NAME_WIDTH)}→ ${finding.todo}`);
  });
  const [failed, warned] = [count(findings, 'fail'), count(findings, 'warn')];
  screen.line();
  if (failed > 0)
    screen.line(
      `${red(`${counted(failed, 'problem')} to fix`)}${warned > 0 ? `, ${counted(warned, 'warning')}` : ''}.`,
    );
  else screen.line(warned > 0 ? `No problem, but ${counted(warned, 'warning')}.` : green('All is well.'));
  screen.document({ ok: failed === 0, findings });
  return failed > 0 ? EXIT.wrong : EXIT.fine;
}

function count(findings: readonly Finding[], level: Finding['level']): number {
  return findings.filter((finding) => finding.level === level).length;
}

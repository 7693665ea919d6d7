// The files under deploy/ name commands, variables, metrics and paths of this project: all of them exist, and the documents'
// hours are the documents' hours. No image is built here.
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createProgram } from '../../src/cli/program.ts';
import { VARIABLES } from '../../src/config-variables.ts';
import { usance, useFolder } from '../cli/cli.ts';
import { useDatabase } from '../support/database.ts';
import { filesLoadedBy, isDeployed } from './loads.ts';
import { stepsIn } from './steps.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const files = globSync('deploy/**/*', { cwd: ROOT, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1));
const workflows = files.filter((file) => file.startsWith('deploy/github/'));
/** The files that program.ts adds as commands. */
const commandFiles = (): string[] =>
  [...read('src/cli/program.ts').matchAll(/^import \{ add\w+ \} from '\.\/(.+)';$/gm)].map(
    ([, file]) => `src/cli/${file}`,
  );
const rulesIn = (file: string): string[] => [...read(file).matchAll(/^ +expr: (.+)$/gm)].map(([, rule = '']) => rule);
const commands = createProgram('0.0.0').commands.map((command) => command.name());

describe('deploy/', () => {
  test('every command they run is one there is', () => {
    const run = files.flatMap((file) =>
      [
        ...read(file).matchAll(
          /^(?:ExecStart=\/usr\/bin\/env|.*"startCommand": "|.*"preDeployCommand": \["|.*npm run) ?usance ([a-z]+)/gm,
        ),
      ].map(([, name]) => ({ file, name })),
    );
    expect(run.length).toBeGreaterThan(5);
    for (const { file, name } of run) expect(commands, file).toContain(name);
  });

  test('compose runs every service, each a command', () => {
    const compose = read('deploy/compose.yaml');
    const run = [...compose.matchAll(/^ {4}command: ([a-z]+)$/gm)].map(([, name]) => name ?? '');
    expect(run.toSorted()).toEqual(['api', 'migrate', 'processor', 'scheduler', 'worker']);
    for (const name of run) expect(commands).toContain(name);
  });

  test('the variables they set are read by the program', () => {
    const known = new Set<string>(VARIABLES.map(({ name }) => name));
    const compose = read('deploy/compose.yaml');
    const ours =
      compose.slice(compose.indexOf('x-usance'), compose.indexOf('services:')) +
      compose.slice(compose.indexOf('  api:'));
    const set = [...ours.matchAll(/^ {4,6}([A-Z_]{4,}): /gm)].map(([, name]) => name ?? '');
    const inImage = [...read('deploy/Dockerfile').matchAll(/^ENV (.+)$/gm)].flatMap(([, line = '']) =>
      line.split(' ').map((pair) => pair.split('=', 1)[0] ?? ''),
    );
    expect(set.length + inImage.length).toBeGreaterThan(5);
    for (const name of [...set, ...inImage]) if (name !== 'PATH') expect(known, name).toContain(name);
  });

  test.each([
    ['api', 'usance api', undefined],
    ['scheduler', 'usance scheduler --once', '0 0 * * *'],
    ['processor', 'usance processor --once', '15 0,6,12,18 * * *'],
    ['worker', 'usance worker', undefined],
    ['migrate', 'usance migrate', undefined],
  ])('Railway runs %s by "%s"', (service, startCommand, cronSchedule) => {
    const { build, deploy } = JSON.parse(read(`deploy/railway/${service}.json`)) as {
      build: { dockerfilePath: string };
      deploy: { startCommand: string; cronSchedule?: string };
    };
    expect(files).toContain(build.dockerfilePath);
    expect(deploy).toMatchObject({ startCommand });
    expect(deploy.cronSchedule).toBe(cronSchedule);
  });

  test.each(['backend', 'scheduler', 'processor'])(
    'the workflow of the %s migrates first, and its paths exist',
    (name) => {
      const text = read(`deploy/github/deploy-${name}.yml`);
      expect(text).toMatch(/uses: \.\/\.github\/workflows\/migrate\.yml[^]*needs: migrate[^]*railway up --service/);
      const paths = [...text.matchAll(/^ {6}- '(!?)(.+)'$/gm)];
      expect(paths.length).toBeGreaterThan(3);
      for (const [, , path = ''] of paths) expect(globSync(path, { cwd: ROOT }), path).not.toEqual([]);
    },
  );

  test.each(['scheduler', 'processor'])('a change of anything that the %s loads deploys it', (name) => {
    const text = read(`deploy/github/deploy-${name}.yml`);
    const patterns = [...text.matchAll(/^ {6}- '(.+)'$/gm)].map(([, pattern = '']) => pattern);
    // From the program's entry; of its commands, the service runs one.
    const others = commandFiles().filter((file) => file !== `src/cli/${name}.ts`);
    const loaded = filesLoadedBy(ROOT, 'src/cli/main.ts', others);
    expect(loaded).toEqual(expect.arrayContaining(['src/access/index.ts', 'src/cli/start.ts', `src/cli/${name}.ts`]));
    expect(loaded).not.toContain('src/cli/api.ts');
    expect(loaded.filter((file) => !isDeployed(patterns, file))).toEqual([]);
    // And nothing of the others.
    for (const other of [
      'src/api/server.ts',
      'src/client/client.ts',
      'src/cli/dead-letters.ts',
      'docs/reference/errors.md',
    ])
      expect(isDeployed(patterns, other), other).toBe(false);
    expect(isDeployed(patterns, 'src/db/migrations/0006_payments.sql')).toBe(true);
  });

  test('a platform that replaces the entry point of the image finds the command by its name', () => {
    const image = read('deploy/Dockerfile');
    expect(image).toMatch(/^ENV PATH=\/app\/node_modules\/\.bin:\$PATH$/m);
    expect(image).toMatch(/^WORKDIR \/app$/m);
    expect(image).toMatch(/^ENTRYPOINT \["usance"\]$/m);
  });

  test('a change of the scheduler’s or the processor’s command deploys only that service', () => {
    const backend = read('deploy/github/deploy-backend.yml');
    for (const name of ['scheduler', 'processor']) {
      expect(backend).toContain(`'!src/cli/${name}.ts'`);
      expect(read(`deploy/github/deploy-${name}.yml`)).toContain(`'src/cli/${name}.ts'`);
    }
  });

  test('processors are scaled by metrics that are served', () => {
    const documented = read('docs/operating/monitoring.md');
    const queried = [...read('deploy/kubernetes/processor-autoscaler.yaml').matchAll(/query: max\((\w+)\)/g)];
    expect(queried).toHaveLength(2);
    for (const [, metric] of queried) expect(documented).toContain(`| \`${metric}\` | gauge |`);
  });

  test('alert rules are loaded by the file: none is in two of a set, and each set has every alert', () => {
    const alerts = (file: string): string[] =>
      [...read(`deploy/prometheus/${file}.yaml`).matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);
    expect(alerts('alerts-resident')).toEqual(alerts('alerts-crons'));
    const [always, either] = [alerts('alerts'), alerts('alerts-crons')];
    expect(new Set([...always, ...either]).size).toBe(always.length + either.length);
    expect(always).not.toContain('UsancePaymentsLate');
    // Each file names the others it goes with, and docs/operating/monitoring.md all of them.
    for (const name of ['alerts', 'alerts-resident', 'alerts-crons'])
      expect(read('docs/operating/monitoring.md')).toContain(`\`${name}.yaml\``);
  });

  test('an alert on the age of something also fires where no process has the series', () => {
    const ages = rulesIn('deploy/prometheus/alerts.yaml').flatMap((rule) =>
      [...rule.matchAll(/time\(\) - max\((\w+)\)/g)].map(([, metric]) => ({ rule, metric })),
    );
    expect(ages).not.toEqual([]);
    for (const { rule, metric } of ages) expect(rule).toContain(` or absent(${metric})`);
  });

  test('the config file of each Railway service is named where it is to be set', () => {
    const railway = files.filter((file) => file.startsWith('deploy/railway/'));
    for (const file of railway) expect(read('deploy/README.md')).toContain(`\`/${file}\``);
  });

  test('a unit that may write nowhere has a folder for its files', () => {
    const unit = read('deploy/systemd/usance@.service');
    expect(unit).toMatch(/^ProtectSystem=strict$/m);
    expect(unit).toMatch(/^StateDirectory=usance$/m);
  });

  test('alert rules use metrics that are served, each as its type allows', () => {
    const types = new Map(
      [...read('docs/operating/monitoring.md').matchAll(/^\| `(\w+)` \| (counter|gauge|histogram) \|/gm)].map(
        ([, name = '', type = '']) => [name, type],
      ),
    );
    const rules = files.filter((file) => file.startsWith('deploy/prometheus/')).flatMap(rulesIn);
    expect(rules.length).toBeGreaterThan(10);
    for (const rule of rules) {
      const used = [...rule.matchAll(/(?:(rate|increase)\()?\b(usance_\w+)/g)];
      expect(used, rule).not.toEqual([]);
      // A rate of a gauge, or a counter as it stands, says nothing.
      for (const [, windowed, metric = ''] of used)
        expect(types.get(metric), `${metric} in ${rule}`).toBe(windowed ? 'counter' : 'gauge');
    }
  });

  test('no service holds the password of the schema’s owner: only the step that migrates does', () => {
    // A pre-deploy command has the variables of its service.
    for (const file of files) expect(read(file), file).not.toContain('preDeployCommand');
    const [, services = ''] = read('deploy/compose.yaml').split('\n  api:\n');
    expect(services).not.toMatch(/OWNER|POSTGRES_PASSWORD/);
    for (const { file, job, step } of stepsIn(ROOT, workflows).filter(({ text }) =>
      text.includes('DATABASE_OWNER_URL'),
    ))
      expect({ file, job, step }).toEqual({
        file: 'deploy/github/migrate.yml',
        job: 'migrate',
        step: 'npm run usance migrate',
      });
    expect(stepsIn(ROOT, workflows).filter(({ text }) => text.includes('DATABASE_OWNER_URL'))).toHaveLength(1);
  });

  test.each(workflows)('%s gives a secret to the step that needs it, and no more rights than reading', (file) => {
    const text = read(file);
    expect(text).toMatch(/^permissions:\n {2}contents: read$/m);
    expect(text).not.toContain('inherit');
    expect(text).not.toMatch(/^(?: {4})?env:/m);
    const withSecrets = stepsIn(ROOT, [file]).filter((step) => step.text.includes('secrets.'));
    expect(withSecrets).not.toEqual([]);
    for (const { step } of withSecrets)
      expect(step).toMatch(/^(?:railway up --service \w+ --ci|npm run usance migrate)$/);
  });

  test.each(workflows)('%s cancels no deployment that waits', (file) => {
    const groups = [...read(file).matchAll(/^( *)concurrency:(.*)$/gm)];
    // `usance migrate` takes its own lock. Deployments of one workflow queue up, all of them, from their start.
    if (file.endsWith('migrate.yml')) expect(groups).toEqual([]);
    else
      expect(groups.map(([, indent, group]) => [indent, group])).toEqual([
        ['', expect.stringMatching(/, queue: max \}$/)],
      ]);
  });

  test.each([...workflows, 'deploy/Dockerfile'])('%s installs exact versions', (file) => {
    const text = read(file);
    for (const [, action = ''] of text.matchAll(/uses: ([^.\s]\S*)/g)) expect(action).toMatch(/@[0-9a-f]{40}$/);
    for (const [install] of text.matchAll(/npm (?:install|i|add)\b.*|npx .*/g))
      expect(install).toMatch(/^npm install --global [@\w/-]+@\d+\.\d+\.\d+$/);
  });

  test('the image has the dependencies of the lock file, without a script of theirs', () => {
    const image = read('deploy/Dockerfile');
    expect(image).toMatch(/cp \/build\/package-lock\.json \. && npm ci --omit=dev --omit=optional --ignore-scripts/);
    const [, last = ''] = image.split(/^FROM .+\n(?![^]*^FROM )/m);
    expect(last).toContain('COPY --from=build /app /app');
    expect(last).not.toMatch(/^RUN/m);
  });

  test('the password of the services’ login is in no list of processes', () => {
    const script = read('deploy/postgres-roles.sh');
    expect(script).not.toMatch(/\$\{?APP_PASSWORD/);
    expect(script).toContain('\\getenv password APP_PASSWORD');
  });

  test('the shell script can be read', () => {
    expect(() => execFileSync('sh', ['-n', join(ROOT, 'deploy/postgres-roles.sh')])).not.toThrow();
  });
});

describe('the first key', () => {
  const folder = useFolder();
  const database = useDatabase();

  test('is made by the command that compose.yaml prints, on the database it made', async () => {
    const [, command = ''] = /run --rm api (api-keys create .+)$/m.exec(read('deploy/compose.yaml')) ?? [];
    expect(command).not.toBe('');
    expect(read('deploy/README.md')).toContain(`usance ${command}\n`);
    const variables = { NODE_ENV: 'production', DATABASE_URL: database.runtimeUrl };
    const { code, err, json } = await usance(folder, [...command.split(' '), '--json'], variables);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(json<{ secret: string }>().secret).toMatch(/^usk_/);
  });
});

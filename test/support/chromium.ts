// A real browser for the tests that need one: the one that is here, or Debian's where it may be installed. Where neither is
// to be had, null and one loud line; under CI that is a failure.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

export async function openChromium(): Promise<Browser | null> {
  const executablePath = found() ?? installed();
  if (executablePath === null) {
    const trouble = 'NO BROWSER: install chromium, or name one in CHROMIUM_PATH; what needs it was not tested';
    if (process.env['CI'] === 'true') throw new Error(trouble);
    console.warn(trouble);
    return null;
  }
  // As root there is no sandbox to be had.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath, args });
}

function found(): string | null {
  const named = process.env['CHROMIUM_PATH'];
  if (named !== undefined) return named;
  const folders = (process.env['PATH'] ?? '').split(':');
  return NAMES.flatMap((name) => folders.map((folder) => `${folder}/${name}`)).find((path) => existsSync(path)) ?? null;
}

function installed(): string | null {
  if (process.getuid?.() !== 0) return null;
  console.warn('installing chromium with apt-get');
  for (const words of [['update'], ['install', '--yes', '--no-install-recommends', 'chromium']]) {
    const { status } = spawnSync('apt-get', words, { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
    if (status !== 0) return null;
  }
  return found();
}

// Preloaded into a process: its wall clock is wrong, and jumps back and forth every few readings. SKEW_MS says how far.
const skewMs = Number(process.env['SKEW_MS'] ?? 3_600_000);
const now = Date.now.bind(Date);
let readings = 0;
Date.now = () => now() + ((readings += 1) % 40 < 20 ? skewMs : -skewMs);

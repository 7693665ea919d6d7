// Whether a person caused the requests of now. A page that only refreshes itself must not keep a session open at an empty desk.
const QUIET_AFTER_MS = 60_000;
let lastInputMs = performance.now();

export function followInput(): void {
  for (const type of ['pointerdown', 'keydown', 'wheel', 'touchstart'])
    window.addEventListener(type, () => (lastInputMs = performance.now()), { passive: true, capture: true });
}

export const isBackground = (): boolean => performance.now() - lastInputMs > QUIET_AFTER_MS;

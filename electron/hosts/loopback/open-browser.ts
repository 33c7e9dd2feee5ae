/** Does I/O: shows a link of ours in the person's browser. */
import { spawn } from 'node:child_process';

/** The system's own way to open a link; null where there is no screen to open it on. */
export function openCommand(
  platform: string,
  env: Readonly<Record<string, string | undefined>>,
): { command: string; args: string[] } | null {
  if (platform === 'darwin') return { command: 'open', args: [] };
  if (platform === 'win32') return { command: 'rundll32', args: ['url.dll,FileProtocolHandler'] };
  const hasScreen = (env['DISPLAY'] ?? '') !== '' || (env['WAYLAND_DISPLAY'] ?? '') !== '';
  return hasScreen ? { command: 'xdg-open', args: [] } : null;
}

/** Best effort: where it fails the person still has the printed link. */
export function openBrowser(link: string): void {
  const opener = openCommand(process.platform, process.env);
  if (opener === null) return;
  const child = spawn(opener.command, [...opener.args, link], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}

// The page's menu as the window host builds it, without Electron's module: what is tested is the join of both halves.
import { vi } from 'vitest';
import { menuModel } from '../../../renderer/shell/window-menu.ts';
import { useConsole } from '../../../renderer/state/store.ts';

vi.mock('electron', () => ({ app: { isPackaged: true }, Menu: {} }));
const { menuTemplate } = await import('../../../electron/hosts/window/menu.ts');

export function menuTemplateOf() {
  const chosen: string[] = [];
  const model = menuModel(useConsole.getState());
  const template = menuTemplate(model, (command) => chosen.push(command), { isMac: false, isPackaged: true });
  return { model, template, chosen };
}

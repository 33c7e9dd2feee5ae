// Asks before a link of a message is opened, with its full address. I/O: opens a window through the host.
import { words } from '../language/language.ts';
import { DialogSheet } from '../ui/dialog.tsx';
import { useConsole } from '../state/store.ts';
import { safeLink } from './safe-links.ts';

export function LinkDialog() {
  const address = useConsole((state) => state.linkToOpen);
  const link = safeLink(address ?? undefined);
  if (link === null) return null;
  const close = () => useConsole.setState({ linkToOpen: null });
  const open = () => {
    window.open(link.href, '_blank', 'noopener,noreferrer');
    close();
  };
  return (
    <DialogSheet title={link.kind === 'mail' ? words().pane.openMail : words().pane.openLink} onClose={close}>
      <div className="sheet-content">
        <p>
          {words().pane.linkBefore} <b dir="ltr">{link.host}</b>.
        </p>
        <p className="address mono" dir="ltr">
          {link.href}
        </p>
      </div>
      <footer className="sheet-foot">
        <button type="button" onClick={close}>
          {words().pane.cancel}
        </button>
        <button type="button" className="primary" onClick={open}>
          {words().pane.openHost(link.host)}
        </button>
      </footer>
    </DialogSheet>
  );
}

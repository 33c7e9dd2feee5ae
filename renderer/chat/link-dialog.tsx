// Asks before a link of a message is opened, with its full address. I/O: opens a window through the host.
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
    <DialogSheet title={link.kind === 'mail' ? 'Write to this address?' : 'Open this link?'} onClose={close}>
      <div className="sheet-content">
        <p>
          The link comes from a message, not from Nimbus Console. It leads to <b dir="ltr">{link.host}</b>.
        </p>
        <p className="address mono" dir="ltr">
          {link.href}
        </p>
      </div>
      <footer className="sheet-foot">
        <button type="button" onClick={close}>
          Cancel
        </button>
        <button type="button" className="primary" onClick={open}>
          Open {link.host}
        </button>
      </footer>
    </DialogSheet>
  );
}

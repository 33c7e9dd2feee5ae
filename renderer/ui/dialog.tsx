// A modal sheet on the native dialog element: focus is kept inside and returned, Esc closes.
import { X } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { words } from '../language/language.ts';

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
  size?: 'small' | 'large' | 'pages';
}

/** A modal box without a head of its own, for what is dialog from edge to edge. */
export function BareDialog({ label, onClose, children }: { label: string; onClose: () => void; children: ReactNode }) {
  const dialog = useModal();
  return (
    <dialog
      ref={dialog}
      className="sheet bare"
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onPointerDown={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      {children}
    </dialog>
  );
}

/** Opens the dialog it is given for as long as it is there. */
function useModal() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // The browser takes the first element that can have the focus, which may be a wrapper; a field that is typed into comes first.
    element?.querySelector<HTMLElement>('[data-focus-first] input')?.focus();
    return () => element?.close();
  }, []);
  return dialog;
}

export function DialogSheet({ title, onClose, children, size = 'small' }: DialogProps) {
  const dialog = useModal();
  const titleId = useId();
  return (
    <dialog
      ref={dialog}
      className={`sheet ${size}`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onPointerDown={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <div className="sheet-body">
        <header className="sheet-head">
          <h2 id={titleId}>{title}</h2>
          <button type="button" className="ghost icon" aria-label={words().shell.close} onClick={onClose}>
            <X className="i" aria-hidden />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}

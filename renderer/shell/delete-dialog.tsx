// Asks before a conversation is deleted: nothing brings it back.
import { words } from '../language/language.ts';
import { deleteConversation } from '../state/conversation-actions.ts';
import { useConsole } from '../state/store.ts';
import { DialogSheet } from '../ui/dialog.tsx';

export function DeleteDialog({ conversationId }: { conversationId: string }) {
  const summary = useConsole((state) => state.data.conversations[conversationId]?.summary);
  const text = words().shell;
  const close = () => useConsole.setState({ toDelete: null });
  return (
    <DialogSheet title={text.deleteTitle} onClose={close}>
      <div className="sheet-content">
        <p dir="auto">
          <b>{summary?.title ?? ''}</b>
        </p>
        <p>{text.deleteMeaning}</p>
      </div>
      <footer className="sheet-foot">
        <button type="button" onClick={close}>
          {text.keepIt}
        </button>
        <button type="button" className="danger" onClick={() => void deleteConversation(conversationId)}>
          {text.deleteIt}
        </button>
      </footer>
    </DialogSheet>
  );
}

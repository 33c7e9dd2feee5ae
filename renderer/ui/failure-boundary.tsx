// Keeps a failure where it happens: what is inside is replaced by what went wrong, its text as plain text, and a way to try again.
import { words } from '../language/language.ts';
import { Component, type ReactNode } from 'react';

interface FailureBoundaryProps {
  /** What failed, as the subject of a sentence: `This message`. */
  what: string;
  /** Shown as it is where what is inside cannot be shown. */
  text?: string;
  children: ReactNode;
}

interface FailureBoundaryState {
  failure: string | null;
}

export class FailureBoundary extends Component<FailureBoundaryProps, FailureBoundaryState> {
  override state: FailureBoundaryState = { failure: null };

  static getDerivedStateFromError(error: unknown): FailureBoundaryState {
    return { failure: error instanceof Error && error.message !== '' ? error.message : String(error) };
  }

  override render(): ReactNode {
    const { failure } = this.state;
    if (failure === null) return this.props.children;
    const { what, text } = this.props;
    return <FailureNote what={what} failure={failure} text={text ?? ''} onRetry={() => this.setState({ failure: null })} />;
  }
}

interface FailureNoteProps {
  what: string;
  failure: string;
  /** '' where there is none. */
  text: string;
  onRetry: () => void;
}

export function FailureNote({ what, failure, text, onRetry }: FailureNoteProps) {
  return (
    <div className="failure" role="alert">
      <p>
        <b>{words().everywhere.cannotBeShown(what)}</b> {failure}
        {text === '' ? words().everywhere.nothingLost : words().everywhere.textFollows}
      </p>
      {text !== '' && (
        <pre className="plain-text scroll" tabIndex={0} dir="auto">
          {text}
        </pre>
      )}
      <button type="button" className="sm" onClick={onRetry}>
        {words().everywhere.tryAgain}
      </button>
    </div>
  );
}

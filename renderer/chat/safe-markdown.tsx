// Model text as Markdown: raw HTML dropped, images as words, links asked about before they open.
import { isValidElement, memo, type ReactNode } from 'react';
import Markdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { words } from '../language/language.ts';
import { useConsole } from '../state/store.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { FailureBoundary } from '../ui/failure-boundary.tsx';
import { liveParts } from './markdown-blocks.ts';
import { whyPlain } from './markdown-guard.ts';
import { FoldedText, PlainText } from './plain-text.tsx';
import { imageText, safeLink } from './safe-links.ts';

const PLUGINS = [remarkGfm];
const ALLOWED =
  'p br hr em strong del code pre blockquote ul ol li a img input h1 h2 h3 h4 h5 h6 table thead tbody tr th td sup section'.split(' ');

/** The window's host asks by itself, in a dialog no page can imitate; a browser does not, so we do. */
function askToOpen(address: string): void {
  if (useConsole.getState().appInfo?.host === 'window') window.open(address, '_blank', 'noopener,noreferrer');
  else useConsole.setState({ linkToOpen: address });
}

/** The words of a code block, as they are copied. */
function textOf(node: ReactNode): string {
  if (typeof node === 'string' || typeof node === 'number') return String(node);
  if (Array.isArray(node)) return node.map((each: ReactNode) => textOf(each)).join('');
  return isValidElement<{ children?: ReactNode }>(node) ? textOf(node.props.children) : '';
}

function alignOf(align: string | undefined): 'left' | 'center' | 'right' | undefined {
  return align === 'left' || align === 'center' || align === 'right' ? align : undefined;
}

const COMPONENTS: Components = {
  a({ href, children }) {
    const link = safeLink(href);
    if (link === null) return <span className="dead-link">{children}</span>;
    return (
      <button type="button" className="link" title={link.href} onClick={() => askToOpen(link.href)}>
        <span>{children}</span> <span className="host">({link.host})</span>
      </button>
    );
  },
  img({ src, alt }) {
    return <span className="image-text">{imageText(typeof src === 'string' ? src : undefined, alt)}</span>;
  },
  table({ children }) {
    return (
      // A region that scrolls must be reachable by keyboard
      <div className="table-scroll scroll" tabIndex={0} role="group" aria-label={words().chat.table}>
        <table>{children}</table>
      </div>
    );
  },
  pre({ children }) {
    return (
      <div className="code-block">
        <pre className="scroll" tabIndex={0} dir="ltr">
          {children}
        </pre>
        <span className="code-bar">
          <CopyButton text={() => textOf(children).replace(/\n$/u, '')} label={words().chat.copyCode} />
        </span>
      </div>
    );
  },
  code: ({ children, className }) => (
    <code dir="ltr" className={className}>
      {children}
    </code>
  ),
  td: ({ children, style }) => (
    <td dir="auto" align={alignOf(style?.textAlign)}>
      {children}
    </td>
  ),
  th: ({ children, style }) => (
    <th dir="auto" align={alignOf(style?.textAlign)}>
      {children}
    </th>
  ),
  p: ({ children }) => <p dir="auto">{children}</p>,
  // A list has one direction: its marks must stand on one side.
  ul: ({ children }) => <ul dir="auto">{children}</ul>,
  ol: ({ children, start }) => (
    <ol dir="auto" start={start}>
      {children}
    </ol>
  ),
  blockquote: ({ children }) => <blockquote dir="auto">{children}</blockquote>,
  // A message's headings must not stand in the page's outline.
  h1: ({ children }) => (
    <p className="md-h" dir="auto">
      {children}
    </p>
  ),
  h2: ({ children }) => (
    <p className="md-h" dir="auto">
      {children}
    </p>
  ),
  h3: ({ children }) => (
    <p className="md-h" dir="auto">
      {children}
    </p>
  ),
  h4: ({ children }) => (
    <p className="md-h" dir="auto">
      {children}
    </p>
  ),
  h5: ({ children }) => (
    <p className="md-h" dir="auto">
      {children}
    </p>
  ),
  h6: ({ children }) => (
    <p className="md-h" dir="auto">
      {children}
    </p>
  ),
  input: ({ checked }) => <span className="task">{checked === true ? '☑' : '☐'}</span>,
};

/** Addresses pass unchanged: `safeLink` decides, and nothing is ever put into an attribute that loads. */
const keepAddress = (address: string) => address;

/** Any text at all: parsed within bounds, else shown as it is. */
export const SafeMarkdown = memo(function SafeMarkdown({ text }: { text: string }) {
  const reason = whyPlain(text);
  if (reason === 'too long') return <FoldedText text={text} />;
  if (reason !== null) return <PlainText text={text} reason={words().pane.plainReasons[reason]} />;
  return (
    <FailureBoundary what={words().pane.thisText} text={text}>
      <Markdown
        remarkPlugins={PLUGINS}
        components={COMPONENTS}
        allowedElements={ALLOWED}
        unwrapDisallowed
        skipHtml
        urlTransform={keepAddress}
      >
        {text}
      </Markdown>
    </FailureBoundary>
  );
});

/** A text that still grows: finished blocks are parsed once, only the last one with every frame; past the bounds the rest is plain. */
export function StreamingMarkdown({ text }: { text: string }) {
  const { parsed, plain } = liveParts(text);
  return (
    <>
      {parsed.map((block, index) => (
        <SafeMarkdown key={index} text={block} />
      ))}
      {plain !== '' && (
        <p className="plain" dir="auto">
          {plain}
        </p>
      )}
      <span className="caret" aria-hidden />
    </>
  );
}

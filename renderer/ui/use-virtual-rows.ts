// Rows of a long list as the virtual list counts them; the component is drawn again whenever the view or a height changes. I/O: scrolling.
import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  type PartialKeys,
  Virtualizer,
  type VirtualizerOptions,
} from '@tanstack/react-virtual';
import { useLayoutEffect, useReducer, useState } from 'react';
import { flushSync } from 'react-dom';

export type RowVirtualizer = Virtualizer<HTMLDivElement, HTMLDivElement>;
type Options = PartialKeys<
  VirtualizerOptions<HTMLDivElement, HTMLDivElement>,
  'observeElementRect' | 'observeElementOffset' | 'scrollToFn' | 'onChange'
>;

/** The same object for the life of the component: what it answers is true for this drawing only and must not be kept. */
export function useVirtualRows(options: Options): RowVirtualizer {
  const [, draw] = useReducer((count: number) => count + 1, 0);
  const whole: VirtualizerOptions<HTMLDivElement, HTMLDivElement> = {
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    ...options,
    onChange: (_virtualizer, isScrolling) => {
      if (isScrolling) flushSync(draw);
      else draw();
    },
  };
  const [virtualizer] = useState(() => new Virtualizer(whole));
  virtualizer.setOptions(whole);
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => virtualizer._willUpdate());
  return virtualizer;
}

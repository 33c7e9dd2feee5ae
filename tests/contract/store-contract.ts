/** Does I/O through the store under test: one suite for every implementation of `Store`. */
import { afterAll, beforeAll, describe } from 'vitest';
import type { Store } from '../../electron/engine/ports.ts';
import { archiveContract } from './archive-contract.ts';
import { branchContract } from './branch-contract.ts';
import { conversationContract } from './conversation-contract.ts';
import { erasureContract } from './erasure-contract.ts';
import { hostileContract } from './hostile-contract.ts';
import { listContract } from './list-contract.ts';
import { promptContract } from './prompt-contract.ts';
import { readingContract } from './reading-contract.ts';
import { shopContract } from './shop-contract.ts';
import { traceContract } from './trace-contract.ts';
import { turnContract } from './turn-contract.ts';

export interface StoreUnderTest {
  store: Store;
  /** Removes what the store left behind; called after `close`. */
  dispose(): Promise<void>;
}

/** Gives the store of the running test. */
export type GetStore = () => Store;

/** Runs the suite. `open` makes an empty store; the parts share one, each with conversations of its own. */
export function storeContract(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`Store contract: ${name}`, () => {
    const parts = [
      conversationContract,
      turnContract,
      listContract,
      readingContract,
      promptContract,
      hostileContract,
      traceContract,
      shopContract,
      archiveContract,
      erasureContract,
      branchContract,
    ];
    for (const part of parts) {
      describe(part.name, () => {
        let opened: StoreUnderTest;
        beforeAll(async () => {
          opened = await open();
        });
        afterAll(async () => {
          await opened.store.close();
          await opened.dispose();
        });
        part(() => opened.store);
      });
    }
  });
}

// What a transport to the engine offers a page. Pure types.
import type { ConsoleBridge } from '../../shared/rpc.ts';

/** `lost`: trying again by itself. `refused`: the link was used or is too old, a person must open a fresh one. */
export type ConnectionState = 'connecting' | 'open' | 'lost' | 'refused';

export interface Bridge extends ConsoleBridge {
  /** Called with the present state at once, then on every change. `open` after `lost` asks for a resync. */
  onConnection(listener: (state: ConnectionState) => void): () => void;
  /** Tries to connect now instead of at the end of the pause. */
  reconnect(): void;
}

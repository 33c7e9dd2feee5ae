/** The calls of the contract that bring back what was sent to providers, byte for byte. Reads only. */
import type { ArchivedRequest, RebuiltRequest } from '../../../shared/requests.ts';
import { ConsoleError } from '../../../shared/errors.ts';
import { sha256Hex } from '../archive/body-hash.ts';
import { parseRequest } from '../archive/request-text.ts';
import type { Handlers, ServiceParts } from './service-deps.ts';
import { requireConversation } from './service-deps.ts';

export function archiveCalls(parts: ServiceParts): Pick<Handlers, 'listArchived' | 'rebuildRequest'> {
  const { store, archive } = parts;
  return {
    async listArchived({ conversationId, limit }) {
      await requireConversation(store, conversationId);
      await archive.flush();
      return { requests: await store.archive.list(conversationId, { limit, helpers: true }) };
    },

    // A deleted conversation still answers: "erased", with the hash.
    async rebuildRequest({ conversationId, spanId }) {
      await archive.flush();
      const archived = await store.archive.read(spanId);
      if (archived === null || archived.conversationId !== conversationId)
        throw new ConsoleError('not-found', 'There is no such request in this conversation.');
      return { rebuilt: await rebuild(parts, archived) };
    },
  };
}

async function rebuild(parts: ServiceParts, { wire, text }: ArchivedRequest): Promise<RebuiltRequest> {
  if (text === null) return { wire, body: null, state: 'erased' };
  if (wire === null) return { wire, body: null, state: 'never-sent' };
  const request = parseRequest(text);
  const writer = parts.providers === null ? await parts.answeringModel() : null;
  const body = request === null ? null : await (parts.providers?.rebuild(request, wire) ?? writer?.encode?.(request, wire.variant) ?? null);
  // The adapter may have learned to write requests differently since; then the body is not the one that left.
  if (body === null || (await sha256Hex(body)) !== wire.sha256) return { wire, body: null, state: 'different' };
  return { wire, body, state: 'same' };
}

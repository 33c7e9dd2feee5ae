// A request that left, with its plan; and the list of all that did. I/O through the client.
import { useEffect, useState } from 'react';
import type { ContextPlan } from '../../shared/compaction.ts';
import { toErrorInfo } from '../../shared/errors.ts';
import type { InspectedRequest, RequestMark } from '../../shared/inspection.ts';
import { addNotice, engine } from '../state/actions.ts';
import type { ConversationData } from '../state/console-data.ts';

export type PastRequest =
  | { state: 'loading' }
  | { state: 'failed'; message: string }
  | { state: 'found'; request: InspectedRequest; plan: ContextPlan | null };

const LOADING: PastRequest = { state: 'loading' };

/** `spanId` null asks for nothing. */
export function usePastRequest(conversationId: string, spanId: string | null): PastRequest {
  const [found, setFound] = useState<{ spanId: string; past: PastRequest } | null>(null);
  useEffect(() => {
    if (spanId === null) return undefined;
    let current = true;
    const put = (past: PastRequest) => current && setFound({ spanId, past });
    engine()
      .call('inspectRequest', { conversationId, request: { spanId } })
      .then(
        ({ request, plan }) => put({ state: 'found', request, plan }),
        (error: unknown) => put({ state: 'failed', message: toErrorInfo(error).message }),
      );
    return () => {
      current = false;
    };
  }, [conversationId, spanId]);
  return found !== null && found.spanId === spanId ? found.past : LOADING;
}

/** The newest 200 requests of the conversation, oldest first. */
export function useRequests(data: ConversationData): RequestMark[] {
  const [requests, setRequests] = useState<RequestMark[]>([]);
  const conversationId = data.summary.id;
  useEffect(() => {
    let current = true;
    engine()
      .call('listRequests', { conversationId, limit: 200 })
      .then(
        (listed) => current && setRequests(listed.requests),
        (error: unknown) => current && addNotice('error', toErrorInfo(error).message),
      );
    return () => {
      current = false;
    };
  }, [conversationId, data.revision]);
  return requests;
}

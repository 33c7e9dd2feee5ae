/** The calls of the contract by which people steer a conversation's memory: pin, forget, compact, its own settings, summary versions. */
import type { Conversation } from '../../../shared/conversation.ts';
import { ConsoleError } from '../../../shared/errors.ts';
import type { SettingKey, Settings } from '../../../shared/settings.ts';
import { isSettingKey, parseSetting } from '../../../shared/settings.ts';
import { prepareContext, strategyOf } from '../agent/context-builder.ts';
import { messagesTokens } from '../memory/estimate.ts';
import { readState as readStableState } from '../memory/stable-state.ts';
import { summaryWork } from '../memory/summary.ts';
import { currentSummary, readSummaryState, rollBack } from '../memory/summary-state.ts';
import { forcedInput, readState, summarise } from '../upkeep/upkeep.ts';
import { nextTurn } from './inspection-calls.ts';
import type { Handlers, ServiceParts } from './service-deps.ts';
import { requireConversation } from './service-deps.ts';

type ControlCalls = Pick<
  Handlers,
  'pinTurn' | 'forgetTurn' | 'compactNow' | 'changeConversationSettings' | 'listSummaryVersions' | 'rollBackSummary'
>;

/** Settings that make sense for one conversation alone. */
const OWN_SETTINGS = /^(?:memory|agent|budget)\./u;
const NOT_OWN: readonly SettingKey[] = ['budget.dayMicroUsd'];

export function controlCalls(parts: ServiceParts): ControlCalls {
  const { store, clock, supervisor } = parts;
  return {
    async pinTurn({ conversationId, turn, pinned }) {
      await requireConversation(store, conversationId);
      await store.conversations.setPinned(conversationId, turn, pinned);
      await supervisor.announce(conversationId);
      return {};
    },

    async forgetTurn({ conversationId, turn }) {
      await requireConversation(store, conversationId);
      const gone = { conversationIds: [], turns: [{ conversationId, turn }] };
      const record = await parts.eraser.withCopies(gone, () =>
        supervisor.whileQuiet(conversationId, async () => {
          // What is still on its way to the store must not arrive after the text was taken out.
          await parts.upkeep.idle();
          await parts.archive.flush();
          return store.conversations.forgetTurn(conversationId, turn, clock.now());
        }),
      );
      parts.recall.drop(conversationId);
      await supervisor.announce(conversationId);
      return { record };
    },

    async compactNow({ conversationId, focus }) {
      const conversation = await requireConversation(store, conversationId);
      return supervisor.whileQuiet(conversationId, () => compactNow(parts, conversation, focus));
    },

    async changeConversationSettings({ conversationId, values }) {
      const conversation = await requireConversation(store, conversationId);
      const settings = changedSettings(conversation, values);
      const changed = await store.conversations.update(conversationId, { settings }, clock.now());
      await supervisor.announce(conversationId);
      return { own: changed.settings ?? {}, settings: await parts.settings.readFor(changed) };
    },

    async listSummaryVersions({ conversationId }) {
      await requireConversation(store, conversationId);
      const state = readSummaryState(await readState(parts, conversationId));
      const newest = state.versions.at(-1)?.version ?? null;
      const versions = state.versions.map(({ version, text, throughTurn, model, at, trust }) => {
        return { version, text, throughTurn, model, at, trust, current: version === state.current, stale: version !== newest };
      });
      return { versions: versions.reverse() };
    },

    async rollBackSummary({ conversationId, version }) {
      await requireConversation(store, conversationId);
      return supervisor.whileQuiet(conversationId, async () => {
        await parts.upkeep.idle();
        const state = readSummaryState(await readState(parts, conversationId));
        if (version !== null && !state.versions.some((known) => known.version === version))
          throw new ConsoleError('not-found', `The conversation has no summary ${version}.`);
        const json = JSON.stringify(rollBack(state, version));
        await store.conversations.writeMemoryState(conversationId, { strategy: 'summary', json });
        return { current: version };
      });
    },
  };
}

/** The conversation's settings after a change; `invalid-input` names every wrong value. */
function changedSettings(conversation: Conversation, values: Record<string, unknown>): Partial<Settings> {
  const reasons: string[] = [];
  const own: Record<string, unknown> = { ...conversation.settings };
  for (const [key, value] of Object.entries(values)) {
    if (!isSettingKey(key) || !OWN_SETTINGS.test(key) || NOT_OWN.includes(key)) {
      reasons.push(`"${key}" is no setting of a conversation; memory, agent and budget settings are`);
    } else if (value === null) {
      delete own[key];
    } else {
      const parsed = parseSetting(key, value);
      if (parsed.ok) own[key] = parsed.value;
      else reasons.push(parsed.reason);
    }
  }
  if (reasons.length > 0) throw new ConsoleError('invalid-input', reasons.join('\n'));
  return own;
}

async function compactNow(
  parts: ServiceParts,
  conversation: Conversation,
  focus: string,
): Promise<Awaited<ReturnType<Handlers['compactNow']>>> {
  const settings = await parts.settings.readFor(conversation);
  const name = strategyOf(conversation, settings);
  if (name === 'recent-turns')
    throw new ConsoleError(
      'invalid-input',
      'recent-turns shortens anew for every request, so there is nothing to compact ahead; choose stable or summary.',
    );
  if (focus !== '' && name === 'stable')
    throw new ConsoleError('invalid-input', 'stable keeps identifiers by rule and follows no focus; leave it out or choose summary.');
  await parts.upkeep.idle();
  const [newest] = await parts.store.conversations.readTurns(conversation.id, { limit: 1 });
  const request = { conversation, turn: nextTurn(newest), question: null, settings };
  const before = await prepareContext(parts, request);
  const planned = before.strategy.plan(before.input);
  const tokensBefore = planned.plan.tokens;
  let reason = 'there is nothing to compact yet';
  if (name === 'summary') {
    const work = summaryWork(before.input, focus);
    if (work === null) reason = 'only the newest messages are left, which are never summarised';
    else {
      const result = await summarise(parts, { conversation, settings, outcome: { ...planned, work } }, new AbortController().signal);
      reason = result.kind === 'kept' ? result.reason : '';
    }
  } else {
    const forced = before.strategy.plan(forcedInput(before.input, messagesTokens(planned.plan.messages, parts.estimator)));
    const state = { ...readStableState(forced.state), lastAt: readStableState(before.input.state).lastAt };
    if (state.throughTurn > readStableState(before.input.state).throughTurn) {
      await parts.store.conversations.writeMemoryState(conversation.id, { strategy: 'stable', json: JSON.stringify(state) });
      reason = '';
    }
  }
  const after = await prepareContext(parts, request);
  const tokensAfter = after.strategy.plan(after.input).plan.tokens;
  const throughTurn =
    name === 'stable'
      ? readStableState(after.input.state).throughTurn
      : (currentSummary(readSummaryState(after.input.state))?.throughTurn ?? 0);
  return { compacted: reason === '', reason, throughTurn, tokensBefore, tokensAfter };
}

/** Pure: what is wrong with a value, from the finding of a schema, as one sentence for the person who gave it. */
import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

/** Parameters of calls, as people know them. What is missing here is named by its key. */
const FIELD_NAMES: Readonly<Record<string, string>> = {
  'sendMessage.text': 'the message',
  'saveDraft.text': 'the draft',
  'previewContext.next': 'the next message',
  'forecastCost.next': 'the next message',
  'compactNow.focus': 'the focus',
  'explainAbsence.text': 'the text to look for',
  conversationId: 'the conversation id',
  customerId: 'the customer',
  tenant: 'the tenant',
  actor: 'the actor',
  subject: 'the subject',
  strategy: 'the strategy',
  search: 'the search text',
  title: 'the title',
  key: 'the key',
  baseUrl: 'the address',
  model: 'the model',
  provider: 'the provider',
  format: 'the format',
  turn: 'the turn',
  text: 'the text',
};

/** Sentences the schemas of this project wrote themselves are for people already. */
const BY_THE_LIBRARY = /^(?:Too (?:big|small)|Invalid|Unrecognized)\b/;

function listed(values: readonly unknown[]): string {
  const words = values.map((value) => (value === '' ? '""' : String(value)));
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

function limitText(issue: Extract<Issue, { code: 'too_big' | 'too_small' }>): string {
  const isMost = issue.code === 'too_big';
  const limit = isMost ? issue.maximum : issue.minimum;
  const bound = `at ${isMost ? 'most' : 'least'} ${limit.toLocaleString('en-US')}`;
  if (issue.origin === 'string') {
    if (!isMost && limit === 1) return 'must not be empty';
    return isMost
      ? `is too long: ${bound} characters are taken, so shorten it or split it`
      : `is too short: ${bound} characters are needed`;
  }
  if (issue.origin === 'array' || issue.origin === 'set') return `must have ${bound} entries`;
  if (issue.inclusive === false) return `must be ${isMost ? 'less' : 'more'} than ${limit.toLocaleString('en-US')}`;
  return `must be ${bound}`;
}

const KINDS: Readonly<Record<string, string>> = {
  number: 'a number',
  int: 'a whole number',
  string: 'text',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object with fields',
  record: 'an object with fields',
};

/** What is wrong, to follow the name of the field: `must be a number`. */
function complaint(issue: Issue): string {
  switch (issue.code) {
    case 'too_big':
    case 'too_small':
      return limitText(issue);
    case 'invalid_value':
      return `must be ${listed(issue.values)}`;
    case 'invalid_type':
      return `must be ${KINDS[issue.expected] ?? issue.expected}`;
    case 'unrecognized_keys':
      return `has fields that are not known: ${issue.keys.join(', ')}`;
    case 'invalid_element':
    case 'invalid_format':
    case 'invalid_key':
    case 'invalid_union':
    case 'not_multiple_of':
    case 'custom':
      return 'has the wrong form';
  }
}

/** One sentence about one finding; `field` is what the person knows the value as. */
export function issueText(issue: Issue | undefined, field: string): string {
  if (issue === undefined) return `${field} has the wrong form`;
  return BY_THE_LIBRARY.test(issue.message) ? `${field} ${complaint(issue)}` : issue.message;
}

/** One sentence about a finding in the parameters of a call. */
export function paramsIssueText(method: string, issue: Issue | undefined): string {
  const path = (issue?.path ?? []).map(String);
  const [first = ''] = path;
  const name = FIELD_NAMES[`${method}.${first}`] ?? FIELD_NAMES[first] ?? first;
  return issueText(issue, path.length === 0 ? 'the call' : [name, ...path.slice(1)].join(': '));
}

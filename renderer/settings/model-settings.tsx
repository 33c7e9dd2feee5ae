// Who answers: providers with their keys and addresses, a connection test in plain words, the model in use. Keys go in and never come back.
import { words } from '../language/language.ts';
import { useCallback, useEffect, useState } from 'react';
import { toErrorInfo } from '../../shared/errors.ts';
import type { KeyStorage, ProviderView } from '../../shared/models.ts';
import { engine } from '../state/actions.ts';
import { keyWords, splitModel } from './model-words.ts';
import { ProviderForm } from './provider-form.tsx';
import { Group } from './setting-group.tsx';

export interface Providers {
  providers: ProviderView[];
  current: string;
  keyStorage: KeyStorage;
}

/** The providers, loaded again on request; `problem` says why there are none. */
function useProviders(): { found: Providers | null; problem: string | null; reload: () => void } {
  const [found, setFound] = useState<Providers | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const reload = useCallback(() => {
    engine()
      .call('listProviders', {})
      .then(setFound, (error: unknown) => setProblem(toErrorInfo(error).message));
  }, []);
  useEffect(reload, [reload]);
  return { found, problem, reload };
}

export function ModelSettings() {
  const { found, problem, reload } = useProviders();
  const [open, setOpen] = useState<string | null>(null);
  if (found === null) {
    return (
      <Group title={words().models.title}>
        {problem === null ? <p className="setting dim">{words().models.loading}</p> : <p className="setting bad">{problem}</p>}
      </Group>
    );
  }
  const current = splitModel(found.current);
  return (
    <Group title={words().models.title}>
      {found.providers.map((provider) => {
        const key = keyWords(provider);
        const inUse = provider.provider === current.provider;
        const isOpen = open === provider.provider;
        return (
          <div key={provider.provider} className="provider">
            <div className="setting">
              <span className="setting-text">
                <span className="provider-name">
                  {provider.label}
                  {inUse && <span className="chip ok">{words().models.answers(current.model)}</span>}
                </span>
                <span className={key.tone === 'warn' ? 'warn-text' : 'dim'}>
                  {key.word}
                  {provider.baseUrl === null ? '' : `, ${provider.baseUrl}`}
                </span>
              </span>
              <button type="button" className="sm" aria-expanded={isOpen} onClick={() => setOpen(isOpen ? null : provider.provider)}>
                {isOpen ? words().models.close : inUse ? words().models.change : words().models.use}
              </button>
            </div>
            {isOpen && (
              <ProviderForm provider={provider} current={inUse ? current.model : ''} keyStorage={found.keyStorage} onChange={reload} />
            )}
          </div>
        );
      })}
    </Group>
  );
}

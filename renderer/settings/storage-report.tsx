// What a test of the database found, host by host, and the way to make or update its tables.
import { Check, CircleAlert } from 'lucide-react';
import { useState } from 'react';
import type { StorageConnection } from '../../shared/api/storage.ts';
import { toErrorInfo } from '../../shared/errors.ts';
import type { StorageFinding, StorageReport } from '../../shared/storage-choice.ts';
import { words } from '../language/language.ts';
import { engine } from '../state/actions.ts';
import { TextRow } from './storage-server-fields.tsx';

/** Facts beside the sentence; "" when there are none. */
function factsOf(finding: StorageFinding): string {
  const text = words().storage;
  if (finding.problem === null) return text.worksDetail(finding.server, finding.encryption);
  if (finding.problem === 'rights-missing' && finding.missingRights.length > 0) return text.missingRights(finding.missingRights.join(', '));
  if (finding.problem.startsWith('schema-') && finding.schema !== null) return text.schemaFound(finding.schema, finding.schemaNeeded);
  return finding.detail;
}

export function StorageFindings({ report }: { report: StorageReport }) {
  const text = words().storage;
  return (
    <div className={`report ${report.ok ? 'fine' : 'wrong'}`} role="status">
      <ul>
        {report.findings.map((finding) => {
          const Icon = finding.problem === null ? Check : CircleAlert;
          const problem = finding.problem === null ? null : text.problems[finding.problem];
          const facts = factsOf(finding);
          return (
            <li key={finding.host} className={problem === null ? 'good' : 'poor'}>
              <Icon className="i m" role="img" aria-label={problem === null ? text.fine : text.wrong} />
              <span className="storage-finding">
                <span>
                  {finding.host !== '' && <code>{finding.host} </code>}
                  <b>{problem === null ? text.works : problem.what}</b> {problem?.next}
                </span>
                {facts !== '' && <span className="dim">{facts}</span>}
              </span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

interface TableFormProps {
  report: StorageReport;
  connection: () => StorageConnection | null | undefined;
  onReport: (report: StorageReport) => void;
}

/** Offered where the tables are missing or old, and kept afterwards to say what was done. */
export function TableForm({ report, connection, onReport }: TableFormProps) {
  const text = words().storage;
  const [address, setAddress] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const isMissing = report.findings.some((finding) => finding.problem === 'schema-missing');
  const isOld = report.findings.some((finding) => finding.problem === 'schema-older');
  if (!isMissing && !isOld) return null;
  const migrate = async () => {
    const wanted = connection();
    if (wanted === undefined) return;
    setBusy(true);
    setProblem(null);
    try {
      const adminUrl = address.trim() === '' ? null : address.trim();
      const done = await engine().call('migrateStorage', { connection: wanted, adminUrl });
      onReport(done.report);
    } catch (error) {
      setProblem(toErrorInfo(error).message);
    } finally {
      setAddress('');
      setBusy(false);
    }
  };
  return (
    <div className="storage-tables" role="group" aria-label={text.tables}>
      <TextRow
        label={text.adminAddress}
        help={text.tablesHelp}
        type="password"
        autoComplete="off"
        placeholder="mysql://ADMIN:PASS@HOST:3306/nimbus"
        value={address}
        onChange={(event) => setAddress(event.target.value)}
      />
      <div className="form-fields">
        <button type="button" className="primary" disabled={busy} onClick={() => void migrate()}>
          {isMissing ? text.createTables : text.updateTables}
        </button>
      </div>
      {problem !== null && (
        <p className="bad" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

// Own prices of models as a table; kept in the setting `models.prices`.
import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { OwnPrices } from '../../shared/own-prices.ts';
import { words } from '../language/language.ts';
import { changeSetting } from '../state/actions.ts';
import { useConsole } from '../state/store.ts';
import { emptyPriceRow, type PriceRow, priceRows, pricesText, readPrices } from './price-rows.ts';
import { Group } from './setting-group.tsx';

const COLUMNS = ['model', 'input', 'cachedInput', 'output', 'window'] as const;

export function PriceTable() {
  const stored = useConsole((state) => state.data.settings?.['models.prices'] ?? '');
  return <Rows key={stored} prices={readPrices(stored)} />;
}

function Rows({ prices }: { prices: OwnPrices }) {
  const [rows, setRows] = useState<PriceRow[]>(() => priceRows(prices));
  const [problem, setProblem] = useState<string | null>(null);
  const text = words().prices;
  const change = (index: number, part: Partial<PriceRow>) =>
    setRows((before) => before.map((row, at) => (at === index ? { ...row, ...part } : row)));
  const save = async () => {
    const made = pricesText(rows);
    if ('wrong' in made) return setProblem(text.wrong(made.row + 1, text.columns[made.wrong]));
    const refusal = await changeSetting('models.prices', made.text);
    setProblem(refusal?.message ?? null);
  };
  return (
    <Group title={text.title}>
      <p className="form-note price-note">{text.note}</p>
      {rows.length > 0 && (
        <table className="price-table">
          <thead>
            <tr>
              {COLUMNS.map((column) => (
                <th key={column} scope="col">
                  {text.columns[column]}
                </th>
              ))}
              <th>
                <span className="vh">{text.remove}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <RowFields
                key={row.key}
                row={row}
                number={index + 1}
                onChange={(part) => change(index, part)}
                onRemove={() => setRows((before) => before.filter((_row, at) => at !== index))}
              />
            ))}
          </tbody>
        </table>
      )}
      {problem !== null && (
        <p className="bad price-note" role="alert">
          {problem}
        </p>
      )}
      <div className="about-actions">
        <button type="button" onClick={() => setRows((before) => [...before, emptyPriceRow()])}>
          <Plus className="i m" aria-hidden />
          {text.add}
        </button>
        <span className="grow" />
        <button
          type="button"
          className="primary"
          disabled={rows.length === 0 && Object.keys(prices).length === 0}
          onClick={() => void save()}
        >
          {text.save}
        </button>
      </div>
    </Group>
  );
}

interface RowFieldsProps {
  row: PriceRow;
  number: number;
  onChange: (part: Partial<PriceRow>) => void;
  onRemove: () => void;
}

function RowFields({ row, number, onChange, onRemove }: RowFieldsProps) {
  const text = words().prices;
  return (
    <tr>
      {COLUMNS.map((column) => (
        <td key={column}>
          <input
            className="text-input"
            aria-label={`${text.columns[column]}, ${row.model === '' ? number : row.model}`}
            placeholder={column === 'model' ? 'openai/gpt-5-mini' : ''}
            inputMode={column === 'model' ? 'text' : 'decimal'}
            value={row[column]}
            onChange={(event) => onChange({ [column]: event.target.value })}
          />
        </td>
      ))}
      <td>
        <button type="button" className="ghost icon" aria-label={`${text.remove} ${row.model}`} onClick={onRemove}>
          <Trash2 className="i m" aria-hidden />
        </button>
      </td>
    </tr>
  );
}

// The inputs of an action.
import type { ReactNode } from 'react';
import { useId } from 'react';
import { codeOf, formatAmount, hasScale, parseMinor, scaleOf } from './format.ts';

export type Values = Readonly<Record<string, string>>;

export interface Field {
  readonly name: string;
  readonly label: string;
  readonly kind: 'text' | 'amount' | 'instant' | 'select' | 'long' | 'number' | 'check';
  /** Of an amount. */
  readonly asset?: string;
  readonly options?: readonly (readonly [value: string, label: string])[];
  readonly initial?: string;
  readonly isRequired?: boolean;
  readonly hint?: ReactNode;
  readonly placeholder?: string;
  /** In characters. */
  readonly maxLength?: number;
}

export const initialValues = (fields: readonly Field[]): Values =>
  Object.fromEntries(fields.map(({ name, initial = '' }) => [name, initial]));

/** What is missing or wrong, in words; null if nothing is. */
export function troubleOf(fields: readonly Field[], values: Values): string | null {
  for (const { name, label, kind, asset, isRequired } of fields) {
    const value = (values[name] ?? '').trim();
    if (value === '') {
      if (isRequired) return `${label} is missing.`;
      continue;
    }
    if (kind === 'amount' && !hasScale(asset ?? '')) return NO_SCALE;
    if (kind === 'amount' && minorOf(value, asset ?? '') === null)
      return `${label} is not an amount of ${codeOf(asset ?? '')} with at most ${scaleOf(asset ?? '')} decimals.`;
    if (kind === 'number' && !/^\d+$/.test(value)) return `${label} is not a whole number.`;
  }
  return null;
}

const NO_SCALE = 'Write the asset with its scale, such as USD/2.';

/** Minor units of an amount as a person writes it; null if it is none. */
export const minorOf = (text: string, asset: string): string | null => parseMinor(text, asset);

/** The same; throws what to do about a text that is none. */
export function requireMinor(text: string, asset: string): string {
  const minor = minorOf(text, asset);
  if (minor === null) throw new Error(hasScale(asset) ? `"${text}" is not an amount of ${asset}.` : NO_SCALE);
  return minor;
}

/** An amount as a person writes it. */
export const amountText = (minor: string, asset: string): string => formatAmount(minor, asset).replaceAll(',', '');

/** The value of an input for an instant, in the time zone of the browser. */
export function localInput(instant: string): string {
  const date = new Date(instant);
  const shifted = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 19);
}

export const instantOf = (local: string): string => new Date(local).toISOString();

export const hereZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

export function FieldInputs({
  fields,
  values,
  onChange,
}: {
  readonly fields: readonly Field[];
  readonly values: Values;
  readonly onChange: (values: Values) => void;
}): ReactNode {
  return fields.map((field) => (
    <FieldInput
      key={field.name}
      field={field}
      value={values[field.name] ?? ''}
      onChange={(value) => onChange({ ...values, [field.name]: value })}
    />
  ));
}

export function FieldInput({
  field,
  value,
  onChange,
}: {
  readonly field: Field;
  readonly value: string;
  readonly onChange: (value: string) => void;
}): ReactNode {
  const { name, label, kind, asset, options = [], isRequired = false, placeholder, maxLength } = field;
  const id = useId();
  const shared = {
    id,
    name,
    value,
    required: isRequired,
    placeholder,
    'aria-describedby': field.hint === undefined ? undefined : `${id}-hint`,
  };
  if (kind === 'check') {
    return (
      <label className="check">
        <input
          type="checkbox"
          name={name}
          checked={value === 'true'}
          onChange={({ target }) => onChange(target.checked ? 'true' : '')}
        />
        <span>{label}</span>
      </label>
    );
  }
  return (
    <div className="field">
      <label htmlFor={id}>
        {label}
        {!isRequired && <span className="soft"> (optional)</span>}
      </label>
      {kind === 'select' ? (
        <select {...shared} onChange={({ target }) => onChange(target.value)}>
          {options.map(([option, text]) => (
            <option key={option} value={option}>
              {text}
            </option>
          ))}
        </select>
      ) : kind === 'long' ? (
        <textarea {...shared} rows={3} onChange={({ target }) => onChange(target.value)} />
      ) : kind === 'amount' ? (
        <span className="with-unit">
          <input
            {...shared}
            type="text"
            inputMode="decimal"
            autoComplete="off"
            onChange={({ target }) => onChange(target.value)}
          />
          <span className="unit">{codeOf(asset ?? '')}</span>
        </span>
      ) : (
        <input
          {...shared}
          type={kind === 'instant' ? 'datetime-local' : 'text'}
          maxLength={maxLength}
          {...(kind === 'instant' ? { step: 1 } : {})}
          {...(kind === 'number' ? { inputMode: 'numeric' as const } : {})}
          autoComplete="off"
          onChange={({ target }) => onChange(target.value)}
        />
      )}
      {kind === 'instant' && <span className="soft small">In your time zone, {hereZone()}.</span>}
      {field.hint !== undefined && (
        <span id={`${id}-hint`} className="soft small">
          {field.hint}
        </span>
      )}
    </div>
  );
}

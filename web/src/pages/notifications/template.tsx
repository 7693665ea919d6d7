// A preview of the texts of an e-mail, with example values. The HTML is shown in a frame that runs and loads nothing.
import type { ReactNode } from 'react';
import { api } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { ActionButton } from '../../parts/action.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { deleteTemplate, kindWord, setTemplate } from './email-actions.ts';

const EXAMPLES: Readonly<Record<string, string>> = {
  amount: '12.50 USD',
  date: '31 December 2026, 09:00',
  payer: 'Alice Adams',
  payee: 'Bookshop',
  recipient: 'Alice Adams',
  payment_id: 'pay_01k9zt3q8sxa4e6r1t9v2w5y7z',
  reason: 'FUNDS_INSUFFICIENT',
  sender: 'Example Shop',
};

const filled = (text: string): string =>
  text.replaceAll(/\{\{(\w+)\}\}/g, (all, name: string) => EXAMPLES[name] ?? all);

export function TemplatePreview({ id, onClose }: { readonly id: string; readonly onClose: () => void }): ReactNode {
  const read = useRead('emailTemplates.get', [id], () => api.emailTemplates.get(id));
  return (
    <Dialog title="Preview" onClose={onClose}>
      <Loaded read={read}>
        {(template) => (
          <div className="stack">
            <p className="soft small">
              {kindWord(template.kind)}
              {template.language !== '' && `, ${template.language}`}, with example values.
            </p>
            <h3>{filled(template.subject)}</h3>
            <pre tabIndex={0}>{filled(template.text)}</pre>
            <iframe className="mail" title="The HTML of the e-mail" sandbox="" srcDoc={filled(template.html)} />
            <div className="dialog-actions">
              <ActionButton action={deleteTemplate} subject={template} onDone={onClose} />
              <ActionButton action={{ ...setTemplate, label: 'Edit', tone: 'primary' }} subject={template} />
            </div>
          </div>
        )}
      </Loaded>
    </Dialog>
  );
}

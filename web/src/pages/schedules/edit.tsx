export { EditPage as Page } from './form.tsx';

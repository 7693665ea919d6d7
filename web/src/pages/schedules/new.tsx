export { NewPage as Page } from './form.tsx';

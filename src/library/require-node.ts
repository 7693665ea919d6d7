// Imported before everything else: an older Node fails while it loads the rest, with an error that does not say why.
import { SetupError, tooOldNode } from '../kernel/index.ts';

const trouble = tooOldNode(process.versions.node);
if (trouble !== null) throw new SetupError(trouble);

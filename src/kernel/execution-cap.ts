/** The largest cap on executions a second, wherever one is set: by option, variable, command or request. */
export const MAX_EXECUTIONS_PER_SECOND = 1_000_000;

/** Maximum steps or values per response, enough for 31 days in minutes. */
export const maxHistoryPoints = 45_000
export const maxHistoryDays = 366
/** Step in seconds; 0 returns each value as reported. */
export const historyStepSeconds = [0, 60, 300, 600, 900, 1800, 3600, 21_600, 86_400] as const

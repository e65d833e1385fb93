import * as z from '../zod'

/** An error of the console itself, for the error log; it needs no session, because the login screen may fail too. */
export const ErrorReport = z.object({
  message: z.string().max(500),
  stack: z.string().max(8000),
  component: z.string().max(4000),
  address: z.string().max(500),
  build: z.string().max(64),
})

export const errorReportSchemas = {
  report: { input: ErrorReport, output: z.null() },
}

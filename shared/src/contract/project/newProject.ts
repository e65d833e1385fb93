import type { ProjectDraft } from './managedProject.schema'
import { platformTimeZone } from '../timeZone'

/** Fields of a new project that a form fills in; the page of the project changes each of them. */
export const newProjectDefaults = {
  address: '',
  manager: '',
  phone: '',
  longitude: null,
  latitude: null,
  area: null,
  calendarId: null,
  historyDays: null,
  sort: 1,
  litHoldMinutes: 15,
  timeZone: platformTimeZone,
} satisfies Partial<ProjectDraft>

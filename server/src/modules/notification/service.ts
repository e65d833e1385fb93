import type { SecretBox } from '../../core/secretBox'
import type { PageNotifications } from './pageNotifications'
import type { TargetCheck } from './targetAddress'

/** Dependencies that all parts of the notifications share. */
export type NotificationService = {
  box: SecretBox
  targets: TargetCheck
  pages: PageNotifications
}

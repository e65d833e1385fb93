import { SearchFilter, Status } from './fields'
import {
  NotificationPolicy,
  NotificationPolicyChange,
  NotificationPolicyDraft,
} from './notificationPolicy.schema'
import { resource } from './resource'

const policies = resource('system', 'notificationPolicy', '通知策略', 'platform')

export const notificationPolicyApi = {
  page: policies.page({
    input: { name: SearchFilter.optional(), status: Status.optional() },
    output: NotificationPolicy,
  }),
  create: policies.create({ input: NotificationPolicyDraft, output: NotificationPolicy }),
  update: policies.update({ input: NotificationPolicyChange, output: NotificationPolicy }),
  remove: policies.remove(),
  setStatus: policies.setStatus(),
}

import { useAtomValue } from 'jotai'
import { call } from '@iot/shared/client/call'
import type { User } from '@iot/shared/contract/access/user.schema'
import { userApi } from '@iot/shared/contract/access/user.api'
import { userInfoAtom } from '@iot/shared/session/user'
import { ignoreHandled, type Batch } from '@iot/shared/ui/batch'
import { useRemoveRow } from '@iot/shared/ui/confirmRemove'
import { useFeedback } from '@iot/shared/ui/feedback'

export type GeneratedPassword = { username: string; password: string }
type UserActionsOptions = {
  batch: Batch
  refresh: () => void
  onSecret: (secret: GeneratedPassword) => void
  /** Called instead of `refresh` after the user was removed. */
  onRemoved?: () => void
}

export const setEnabled = (isEnabled: boolean) => (ids: string[]) =>
  call(userApi.setEnabled, { ids, enabled: isEnabled })

export const removeUsers = (ids: string[]) => call(userApi.removeMany, { ids })

/** Disables accounts and ends their sessions at once; the message offers to enable them again. */
export const disableUsers = (batch: Batch, user?: User) =>
  batch.disable({
    send: setEnabled(false),
    undo: setEnabled(true),
    ids: user && [user.id],
    title: user ? `禁用“${user.name}”？` : `禁用选中的 ${batch.selected.length} 个用户？`,
    content: '已登录的会话立即下线。',
  })

/** Returns the actions for one user apart from editing. */
export function useUserActions({
  batch,
  refresh,
  onRemoved = refresh,
  onSecret,
}: UserActionsOptions) {
  const { modal, message } = useFeedback()
  const currentUser = useAtomValue(userInfoAtom)

  const remove = useRemoveRow(userApi.remove, onRemoved)
  const unlock = ({ id, name }: User) =>
    call(userApi.unlock, { id })
      .then(() => (message.success(`已解锁“${name}”`), refresh()))
      .catch(ignoreHandled)
  const resetPassword = ({ id, name, username }: User) =>
    modal.confirm({
      title: `重置“${name}”的密码？`,
      content: '原密码立即失效，已登录的会话全部下线。新密码只显示一次。',
      okText: '重置密码',
      onOk: () =>
        call(userApi.resetPassword, { id })
          .then(({ password }) => onSecret({ username, password }))
          .catch(ignoreHandled),
    })

  const resetSecondFactor = ({ id, name }: User) =>
    modal.confirm({
      title: `重置“${name}”的两步验证？`,
      content: '已登录的会话全部下线，之后只凭密码登录，直到本人重新开启。请先确认是本人提出的。',
      okText: '重置两步验证',
      onOk: () =>
        call(userApi.resetSecondFactor, { id })
          .then(() => (message.success(`已重置“${name}”的两步验证`), refresh()))
          .catch(ignoreHandled),
    })

  const isMe = (user: User) => user.id === currentUser?.id
  const getRemoveRefusal = (user: User) =>
    isMe(user) ? '不能删除自己' : user.builtin && '内置用户不能删除'
  const listMenuActions = (user: User) => [
    { label: '重置密码', to: userApi.resetPassword, onClick: () => resetPassword(user) },
    ...(user.secondFactor
      ? [
          {
            label: '重置两步验证',
            to: userApi.resetSecondFactor,
            unless: isMe(user) && '自己的两步验证请在“个人中心”关闭',
            onClick: () => resetSecondFactor(user),
          },
        ]
      : []),
    ...(user.state === 'locked'
      ? [{ label: '解锁', to: userApi.unlock, onClick: () => unlock(user) }]
      : []),
    user.state === 'disabled'
      ? {
          label: '启用',
          to: userApi.setEnabled,
          onClick: () => batch.run('启用', setEnabled(true), [user.id]),
        }
      : {
          label: '禁用',
          to: userApi.setEnabled,
          unless: isMe(user) && '不能禁用自己',
          onClick: () => disableUsers(batch, user),
        },
  ]

  return { remove, unless: getRemoveRefusal, more: listMenuActions }
}

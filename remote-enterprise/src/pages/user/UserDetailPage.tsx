import Button from 'antd/es/button'
import Descriptions from 'antd/es/descriptions'
import Divider from 'antd/es/divider'
import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router-dom'
import { getSelectedName } from '@iot/shared/contract/options'
import { roleApi } from '@iot/shared/contract/access/role.api'
import { platformTimeZone, toZonedDate } from '@iot/shared/contract/timeZone'
import { allProjectsLabel } from '@iot/shared/contract/access/user'
import { User } from '@iot/shared/contract/access/user.schema'
import { userApi } from '@iot/shared/contract/access/user.api'
import { paths } from '@iot/shared/screens/paths'
import { useCan } from '@iot/shared/session/can'
import { projectOptionsAtom } from '@iot/shared/session/project'
import { useBatch } from '@iot/shared/ui/batch'
import { buildFieldItems, formatValue } from '@iot/shared/ui/field'
import { lazyDialog } from '@iot/shared/ui/lazyPart'
import { Panel } from '@iot/shared/ui/panel'
import { RecentActions } from '@iot/shared/ui/recentActions'
import { Can, RowActions } from '@iot/shared/ui/right'
import { DetailColumns, DetailHead, useDetail } from '@iot/shared/ui/useDetail'
import { usePickerOptions } from '@iot/shared/ui/useListed'
import { UserRights } from './UserRights'
import { UserSessions } from './UserSessions'
import { UserStateText } from './UserStateText'
import { useUserActions, type GeneratedPassword } from './useUserActions'

const UserForm = lazyDialog(() => import('./UserForm'))
const PasswordDialog = lazyDialog(() => import('./PasswordDialog'))

export function Component() {
  const { id = '' } = useParams()
  const navigate = useNavigate()
  const can = useCan()
  const { row, take: replaceRow, frame: renderLoaded, refresh } = useDetail(userApi.get, id)
  const { data: roles } = usePickerOptions(roleApi.list, { ready: can(roleApi.list) })
  const [isEditing, setEditing] = useState(false)
  const [generatedPassword, setGeneratedPassword] = useState<GeneratedPassword>()
  const actions = useUserActions({
    batch: useBatch(refresh),
    refresh,
    onRemoved: () => void navigate(paths.enterprise.user()),
    onSecret: setGeneratedPassword,
  })

  return (
    <Panel>
      {renderLoaded(
        row && (
          <>
            <DetailHead
              name={row.name}
              code={row.username}
              actions={
                <>
                  <Can to={userApi.update}>
                    <Button onClick={() => setEditing(true)}>编辑</Button>
                  </Can>
                  <RowActions
                    name={row.name}
                    more={[
                      ...actions.more(row),
                      {
                        label: '删除',
                        to: userApi.remove,
                        unless: actions.unless(row),
                        danger: true,
                        onClick: () => actions.remove(row),
                      },
                    ]}
                  />
                </>
              }
            >
              <UserStateText state={row.state} />
            </DetailHead>
            <UserFields user={row} />
            <Divider style={{ margin: 0 }} />
            <DetailColumns
              mainWidth={520}
              asideWidth={420}
              main={<UserRights user={row} />}
              aside={
                <>
                  <UserSessions user={row} />
                  <RecentActions
                    title="最近操作"
                    of={{ actor: row.username }}
                    links={[{ label: '对此账号的修改', entityId: row.id }]}
                  />
                </>
              }
            />
            {isEditing && (
              <UserForm
                user={row}
                roles={roles}
                onCreated={setGeneratedPassword}
                onSaved={(savedUser) => replaceRow(savedUser as User)}
                onClose={() => setEditing(false)}
              />
            )}
            {generatedPassword && (
              <PasswordDialog
                {...generatedPassword}
                onClose={() => setGeneratedPassword(undefined)}
              />
            )}
          </>
        ),
      )}
    </Panel>
  )
}

function UserFields({ user }: { user: User }) {
  const projects = useAtomValue(projectOptionsAtom)
  const fieldTexts: { [K in keyof User]?: string } = {
    roleIds: user.roleNames.join('、'),
    projectIds:
      user.projectIds === 'all' ? allProjectsLabel : getSelectedName(projects, user.projectIds),
    phone: user.phone,
    email: user.email,
    secondFactor: user.secondFactor ? '已开启' : '未开启',
    expireTime: user.expireTime ? toZonedDate(user.expireTime, platformTimeZone) : '长期',
    lastLoginTime: formatValue(user.lastLoginTime),
    createTime: formatValue(user.createTime),
    updateTime: formatValue(user.updateTime),
  }
  return (
    <Descriptions
      size="small"
      column={{ xs: 1, sm: 2, lg: 3 }}
      items={buildFieldItems(User, fieldTexts)}
    />
  )
}

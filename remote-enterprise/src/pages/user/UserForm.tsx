import { Form, Input } from 'antd'
import { useAtomValue } from 'jotai'
import { chosenName, namedOptions } from '@iot/shared/contract/options'
import { roleApi, type Role } from '@iot/shared/contract/role'
import { everyProject, User, UserChange, UserDraft, userApi } from '@iot/shared/contract/user'
import { useCan } from '@iot/shared/session/can'
import { projectOptionsAtom } from '@iot/shared/session/project'
import { field } from '@iot/shared/ui/field'
import { FormDialog, FormGroup, sendTo } from '@iot/shared/ui/formDialog'
import { ChoiceItem } from '@iot/shared/ui/items'
import { UntilItem } from '@iot/shared/ui/untilItem'
import { ProjectsField } from './ProjectsField'

const blank: UserDraft = {
  username: '',
  name: '',
  phone: '',
  email: '',
  roleIds: [],
  projectIds: [],
  expireTime: null,
}

type UserFormProps = {
  user?: User
  /** The roles are absent until they are read, or if the user may not read them. */
  roles?: Role[]
  onCreated: (secret: { username: string; password: string }) => void
  onSaved: (row: unknown) => void
  onClose: () => void
}

export default function UserForm({ user, roles, onCreated, onSaved, onClose }: UserFormProps) {
  const projects = useAtomValue(projectOptionsAtom)
  const [form] = Form.useForm<UserDraft>()
  const chosen = Form.useWatch('roleIds', form) ?? user?.roleIds ?? []
  // Rules about roles are checked only for roles that are known.
  const chosenRoles = roles?.filter(({ id }) => chosen.includes(id)) ?? []
  const own = user?.roleIds.map((value, i) => ({ value, label: user.roleNames[i] ?? value })) ?? []
  const known = Object.fromEntries(own.map(({ value, label }) => [value, label]))
  // A user who may not list roles still sees the names of the assigned roles.
  const choices = useCan()(roleApi.list) ? namedOptions(roles) : own

  return (
    <FormDialog<UserDraft>
      title={user ? '编辑用户' : '新建用户'}
      schema={User}
      form={form}
      wide
      draft="user"
      initial={user ?? blank}
      to={user ? userApi.update : userApi.create}
      send={async (draft, revision, options) => {
        const answer = await sendTo(userApi, UserDraft, UserChange)(draft, revision, options)
        if (!('password' in answer)) return answer
        onCreated({ username: draft.username, password: answer.password })
      }}
      show={(name, value) =>
        name === 'roleIds'
          ? chosenName(choices, value, known)
          : name === 'projectIds' &&
            (value === 'all' ? everyProject : chosenName(projects, value) || '没有项目')
      }
      onSaved={onSaved}
      onClose={onClose}
    >
      <FormGroup title="账号">
        <Form.Item
          {...field(UserDraft, 'username')}
          extra={user ? undefined : '登录用，保存后不能修改'}
        >
          <Input autoFocus={!user} disabled={user !== undefined} autoComplete="off" />
        </Form.Item>
        <Form.Item {...field(UserDraft, 'name')}>
          <Input autoFocus={!!user} maxLength={32} autoComplete="off" />
        </Form.Item>
        <Form.Item {...field(UserDraft, 'phone')}>
          <Input maxLength={40} autoComplete="off" />
        </Form.Item>
        <Form.Item {...field(UserDraft, 'email')}>
          <Input autoComplete="off" />
        </Form.Item>
      </FormGroup>
      <FormGroup title="权限">
        <ChoiceItem
          of={UserDraft}
          name="roleIds"
          mode="multiple"
          extra="不能授予自己没有的权限"
          options={choices}
          known={known}
        />
        <Form.Item {...field(UserDraft, 'projectIds')}>
          <ProjectsField
            projects={projects}
            whyNotAll={
              chosenRoles.length > 0 &&
              chosenRoles.every(({ dataScope }) => dataScope === 'assigned') &&
              '所选角色只能看分配的项目，请指定项目'
            }
            whyAll={
              chosenRoles.some(({ everything }) => everything) && '平台管理员总是管理全部项目'
            }
          />
        </Form.Item>
        <UntilItem of={UserDraft} name="expireTime" />
      </FormGroup>
    </FormDialog>
  )
}

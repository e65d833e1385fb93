import { useRequest } from 'ahooks'
import { Button, Checkbox, Form, Input, Modal, Radio, Select } from 'antd'
import { call } from '@iot/shared/client/call'
import { DeviceState } from '@iot/shared/contract/device'
import { deviceStateText } from '@iot/shared/contract/managedDevice'
import { sceneApi } from '@iot/shared/contract/scene'
import {
  cardKinds,
  cardText,
  type CardConfig,
  scenesOfCard,
  scopeOfCard,
  ViewCard,
} from '@iot/shared/contract/viewCard'
import type { SpaceTree } from '@iot/shared/plan/spaces'
import { field } from '@iot/shared/ui/field'
import { ScopeSelect } from '../ScopeSelect'
import type { Groups } from '../useGroups'
import type { CardScope } from './scope'

type Values = Record<string, unknown> & { title: string; only: boolean; scope?: CardScope }
type CardFormProps = {
  card: ViewCard
  projectId: number
  tree: SpaceTree
  groups: Groups
  onDone: (card: ViewCard) => void
  onClose: () => void
}

/** What a card shows. It is kept with the view, when that is saved. */
export function CardForm({ card, projectId, tree, groups, onDone, onClose }: CardFormProps) {
  const [form] = Form.useForm<Values>()
  const { kind } = card.config
  const initial = {
    ...{ ...card.config, scope: scopeOfCard(card.config) },
    ...{ title: card.title, only: card.projectId !== null },
  }
  const done = ({ title, only, scope, ...values }: Values) => {
    const { groupId: _, ...before } = { groupId: undefined, ...card.config }
    const given = { ...before, ...values, ...(scope && namedBy(scope)) }
    // In the order of the contract, so that what is the same compares as the same.
    const config = cardKinds[kind].parse(given) as CardConfig
    const isOfProject = scopeOfCard(config).kind !== 'project' || scenesOfCard(config).length > 0
    onDone({
      ...card,
      title: title.trim(),
      projectId: only || isOfProject ? projectId : null,
      config,
    })
  }
  return (
    <Modal
      open
      title={`卡片：${cardText[kind]}`}
      width={560}
      okText="确定"
      onOk={form.submit}
      onCancel={onClose}
      // What opens takes the focus itself.
      afterOpenChange={(isOpen) => isOpen && form.focusField(kind === 'note' ? 'text' : 'title')}
    >
      <Form<Values>
        form={form}
        layout="vertical"
        initialValues={initial}
        onFinish={done}
        style={{ paddingTop: 8 }}
      >
        <Form.Item {...field(ViewCard, 'title')}>
          <Input maxLength={32} placeholder={kind === 'note' ? '没有标题' : cardText[kind]} />
        </Form.Item>
        <Fields {...{ kind, projectId, tree, groups }} />
        <Form.Item shouldUpdate noStyle>
          {({ getFieldsValue }) => {
            const { scope, sceneIds } = getFieldsValue(true) as typeof initial & {
              sceneIds?: string[]
            }
            const isOfProject = scope.kind !== 'project' || (sceneIds ?? []).length > 0
            return (
              <Form.Item name="only" valuePropName="checked" noStyle={false}>
                <OnlyHere isOfProject={isOfProject} />
              </Form.Item>
            )
          }}
        </Form.Item>
      </Form>
    </Modal>
  )
}

type OnlyHereProps = {
  isOfProject: boolean
  checked?: boolean
  onChange?: (checked: boolean) => void
}
const OnlyHere = ({ isOfProject, checked, onChange }: OnlyHereProps) => (
  <Checkbox
    checked={isOfProject || checked}
    disabled={isOfProject}
    onChange={({ target }) => onChange?.(target.checked)}
  >
    只在当前项目显示{isOfProject && '（所选范围或场景属于当前项目）'}
  </Checkbox>
)

type FieldsProps = Pick<CardFormProps, 'projectId' | 'tree' | 'groups'> & {
  kind: CardConfig['kind']
}

function Fields({ kind, projectId, tree, groups }: FieldsProps) {
  switch (kind) {
    case 'actions':
    case 'problems':
      return <ScopeOf tree={tree} groups={groups} />
    case 'plan':
      return (
        <Form.Item {...field(cardKinds.plan, 'spaceId')}>
          <Select
            placeholder="请选择楼层"
            showSearch={{ optionFilterProp: 'label' }}
            options={tree.floorsOf().map(({ id }) => ({ value: id, label: tree.nameOf(id) }))}
          />
        </Form.Item>
      )
    case 'scenes':
      return <ScenesField projectId={projectId} />
    case 'devices':
      return (
        <>
          <ScopeOf tree={tree} groups={groups} />
          <Form.Item {...field(cardKinds.devices, 'state')} required={false} rules={[]}>
            <Radio.Group
              options={[
                { value: null, label: '全部' },
                ...DeviceState.options.map((value) => ({ value, label: deviceStateText[value] })),
              ]}
            />
          </Form.Item>
        </>
      )
    case 'stats':
      return (
        <>
          <Form.Item {...field(cardKinds.stats, 'by')}>
            <Radio.Group
              options={[
                { value: 'lights', label: '灯：开、关、离线' },
                { value: 'types', label: '设备：按类型和状态' },
              ]}
            />
          </Form.Item>
          <ScopeOf tree={tree} groups={groups} />
        </>
      )
    case 'note':
      return (
        <Form.Item {...field(cardKinds.note, 'text')}>
          <Input.TextArea rows={6} maxLength={2000} showCount placeholder="请输入备注内容" />
        </Form.Item>
      )
    default:
      return null
  }
}

/** Where it is for: the project, a building, a floor, a room, or a group. */
const ScopeOf = ({ tree, groups }: Pick<CardFormProps, 'tree' | 'groups'>) => (
  <Form.Item
    name="scope"
    label="范围"
    extra={
      groups.error && (
        <>
          没有读到设备组：{groups.error.message}
          <Button type="link" size="small" onClick={groups.refresh}>
            重试
          </Button>
        </>
      )
    }
  >
    <ScopeSelect spaces={tree} groups={groups.data} />
  </Form.Item>
)
const namedBy = (scope: CardScope) =>
  scope.kind === 'group'
    ? { spaceId: null, groupId: scope.groupId }
    : { spaceId: scope.kind === 'space' ? scope.spaceId : null }

function ScenesField({ projectId }: { projectId: number }) {
  const { data, error } = useRequest(() =>
    call(sceneApi.page, { pageNo: 1, pageSize: 999, projectId }, { quiet: true }),
  )
  return (
    <Form.Item
      {...field(cardKinds.scenes, 'sceneIds')}
      required={false}
      extra={error && `没有读到场景：${error.message}`}
    >
      <Select
        mode="multiple"
        placeholder="全部场景"
        loading={!data && !error}
        showSearch={{ optionFilterProp: 'name' }}
        fieldNames={{ value: 'id', label: 'name' }}
        options={data?.list}
      />
    </Form.Item>
  )
}

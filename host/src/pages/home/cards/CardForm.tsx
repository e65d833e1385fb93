import { useRequest } from 'ahooks'
import { Checkbox, Form, Input, Modal, Radio, Select, TreeSelect } from 'antd'
import { call } from '@iot/shared/client/call'
import { DeviceState } from '@iot/shared/contract/device'
import { deviceStateText } from '@iot/shared/contract/managedDevice'
import { sceneApi } from '@iot/shared/contract/scene'
import {
  cardKinds,
  cardText,
  type CardConfig,
  scenesOfCard,
  spaceOfCard,
  ViewCard,
} from '@iot/shared/contract/viewCard'
import type { SpaceTree } from '@iot/shared/plan/spaces'
import { field } from '@iot/shared/ui/field'

type Values = Record<string, unknown> & { title: string; only: boolean }
type CardFormProps = {
  card: ViewCard
  projectId: number
  tree: SpaceTree
  onDone: (card: ViewCard) => void
  onClose: () => void
}

/** What a card shows. It is kept with the view, when that is saved. */
export function CardForm({ card, projectId, tree, onDone, onClose }: CardFormProps) {
  const [form] = Form.useForm<Values>()
  const { kind } = card.config
  const initial = { ...card.config, title: card.title, only: card.projectId !== null }
  const done = ({ title, only, ...values }: Values) => {
    const given = {
      ...card.config,
      ...values,
      ...('spaceId' in values && !values.spaceId && { spaceId: null }),
    }
    // In the order of the contract, so that what is the same compares as the same.
    const config = cardKinds[kind].parse(given) as CardConfig
    const isOfProject = spaceOfCard(config) !== null || scenesOfCard(config).length > 0
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
        <Fields kind={kind} projectId={projectId} tree={tree} />
        <Form.Item shouldUpdate noStyle>
          {({ getFieldsValue }) => {
            const { spaceId, sceneIds } = getFieldsValue(true) as Record<string, unknown>
            const isOfProject = !!spaceId || (Array.isArray(sceneIds) && sceneIds.length > 0)
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
    只在当前项目显示{isOfProject && '（所选位置或场景属于当前项目）'}
  </Checkbox>
)

type FieldsProps = { kind: CardConfig['kind']; projectId: number; tree: SpaceTree }

function Fields({ kind, projectId, tree }: FieldsProps) {
  switch (kind) {
    case 'actions':
      return <SpaceField of={cardKinds.actions} tree={tree} />
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
          <SpaceField of={cardKinds.devices} tree={tree} />
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
          <SpaceField of={cardKinds.stats} tree={tree} />
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

type SpaceFieldProps = { of: typeof cardKinds.actions; tree: SpaceTree }
type Node = { value: string; title: string; full: string; children: Node[] }

/** Where it is for: the project, a building, a floor, a room. */
function SpaceField({ of, tree }: { of: object; tree: SpaceTree }) {
  const nodes = tree.nested<Node>((space, children) => ({
    ...{ value: space.id, title: space.name, children, full: tree.nameOf(space.id) },
  }))
  return (
    <Form.Item {...field(of as SpaceFieldProps['of'], 'spaceId')} required={false} rules={[]}>
      <TreeSelect
        treeData={nodes}
        placeholder="整个项目"
        allowClear
        showSearch
        treeNodeFilterProp="full"
        treeNodeLabelProp="full"
        treeDefaultExpandedKeys={nodes.map(({ value }) => value)}
      />
    </Form.Item>
  )
}

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

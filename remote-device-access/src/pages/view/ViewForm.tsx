import { Form, Input, InputNumber, Radio, Select, Switch, TreeSelect } from 'antd'
import { useAtomValue } from 'jotai'
import { roleApi } from '@iot/shared/contract/role'
import type { Tree } from '@iot/shared/contract/tree'
import { View, viewApi, ViewDraft } from '@iot/shared/contract/view'
import { refuseViewPlace } from '@iot/shared/contract/viewPlace'
import { useCan } from '@iot/shared/session/can'
import { projectsAtom } from '@iot/shared/session/project'
import { field } from '@iot/shared/ui/field'
import { FormDialog, FormGroup, sendTo } from '@iot/shared/ui/formDialog'
import { IconPicker } from '@iot/shared/ui/iconPicker'
import { statusOptions } from '@iot/shared/ui/status'
import { taken } from '@iot/shared/ui/taken'
import { listedOnly, useListed } from '@iot/shared/ui/useListed'

export type NewView = Pick<View, 'parentId'>

type Choice = { value: string; title: string; disabled: boolean; children: Choice[] }
type ViewFormProps = {
  tree: Tree<View>
  view: View | NewView | 'new'
  onSaved: () => void
  onClose: () => void
}
const send = sendTo(viewApi, ViewDraft)

export default function ViewForm({ tree, view, onSaved, onClose }: ViewFormProps) {
  const can = useCan()
  const stored = view !== 'new' && 'id' in view ? view : undefined
  const parentId = view === 'new' ? null : view.parentId
  const { data: roles } = useListed(roleApi.list, { ready: can(roleApi.list) })
  const projects = useAtomValue(projectsAtom)
  const blank: ViewDraft = {
    parentId,
    name: '',
    path: '',
    icon: '',
    roleIds: [],
    projectIds: [],
    visible: true,
    isDefault: false,
    sort: tree.children(parentId).length + 1,
    status: 'enabled',
  }
  const choices = tree.nested<Choice>(({ id, name }, children) =>
    id === stored?.id
      ? undefined
      : {
          value: id,
          title: name,
          disabled: !!refuseViewPlace(tree, id, stored?.id),
          children,
        },
  )

  return (
    <FormDialog<ViewDraft>
      title={stored ? '编辑视图' : '新建视图'}
      schema={View}
      initial={stored ?? blank}
      send={(draft, ...rest) => send({ ...draft, parentId: draft.parentId ?? null }, ...rest)}
      show={(name, value) => name === 'parentId' && (tree.get(String(value))?.name ?? '顶级')}
      draft="view"
      wide
      onSaved={onSaved}
      onClose={onClose}
    >
      <FormGroup title="基本信息">
        <Form.Item {...field(ViewDraft, 'name')}>
          <Input autoFocus maxLength={64} />
        </Form.Item>
        <Form.Item {...field(ViewDraft, 'path', taken('view', 'path', stored?.id))}>
          <Input maxLength={64} placeholder="如 lights" />
        </Form.Item>
        <Form.Item {...field(ViewDraft, 'parentId')} required={false}>
          <TreeSelect
            treeData={choices}
            treeDefaultExpandAll
            treeLine
            allowClear
            placeholder="顶级"
          />
        </Form.Item>
        <Form.Item {...field(ViewDraft, 'icon')}>
          <IconPicker />
        </Form.Item>
        <Form.Item {...field(ViewDraft, 'sort')}>
          <InputNumber min={1} precision={0} style={{ width: '100%' }} />
        </Form.Item>
        <Form.Item {...field(ViewDraft, 'status')}>
          <Radio.Group options={statusOptions} />
        </Form.Item>
        <Form.Item {...field(ViewDraft, 'visible')} valuePropName="checked">
          <Switch />
        </Form.Item>
        <Form.Item
          {...field(ViewDraft, 'isDefault')}
          valuePropName="checked"
          extra="打开首页时先看到它；只有一个"
        >
          <Switch />
        </Form.Item>
      </FormGroup>
      <FormGroup title="谁能看到">
        <Form.Item {...field(ViewDraft, 'roleIds')}>
          <Select
            mode="multiple"
            placeholder="所有角色"
            disabled={!can(roleApi.list)}
            showSearch={{ optionFilterProp: 'name' }}
            fieldNames={{ value: 'id', label: 'name' }}
            {...listedOnly(roles)}
          />
        </Form.Item>
        <Form.Item {...field(ViewDraft, 'projectIds')}>
          <Select
            mode="multiple"
            placeholder="所有项目"
            showSearch={{ optionFilterProp: 'name' }}
            fieldNames={{ value: 'id', label: 'name' }}
            options={projects}
          />
        </Form.Item>
      </FormGroup>
    </FormDialog>
  )
}

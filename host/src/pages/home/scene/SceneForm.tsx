import { Button, Form, Switch } from 'antd'
import { Scene, SceneDraft, sceneApi } from '@iot/shared/contract/scene'
import { rights } from '@iot/shared/contract/homeRights'
import { useCommandRefusal } from '@iot/shared/control/sendCommand'
import { field } from '@iot/shared/ui/field'
import { FormDialog, FormGroup, sendTo } from '@iot/shared/ui/formDialog'
import { IconPicker } from '@iot/shared/ui/iconPicker'
import { NumberItem, TextItem } from '@iot/shared/ui/items'
import { Right } from '@iot/shared/ui/right'
import { sceneIcons } from '../SceneIcon'
import { SceneRules } from './SceneRules'
import { draftOf } from './draft'
import { shownOf } from './shown'
import { useOptions } from './useOptions'

type SceneFormProps = {
  projectId: number
  scene?: Scene
  /** A new scene gets this position in the list. */
  sort: number
  onSaved: (scene: Scene) => void
  onTry: (scene: Scene) => void
  onClose: () => void
}
const blank = {
  name: '',
  icon: 'BulbOutlined',
  status: 'enabled',
  order: 'parallel',
  actions: [],
  triggers: [],
  calendarId: null,
  dayMode: 'ignore',
  dayTypes: [],
  silenceMinutes: 0,
  quietFrom: null,
  quietTo: null,
} as const
const own = Object.fromEntries(
  Object.entries(sceneIcons).map(([name, { label, Icon }]) => [
    name,
    { label, icon: <Icon aria-hidden /> },
  ]),
)
const send = sendTo(sceneApi, SceneDraft.extend({ projectId: Scene.shape.projectId }), SceneDraft)

/** Edits a scene without sending commands; only 试运行 sends them. */
export default function SceneForm({ projectId, scene, sort, ...on }: SceneFormProps) {
  const read = useOptions(projectId)
  const refusal = useCommandRefusal()
  const initial = (scene ?? { ...blank, sort, projectId }) as Scene

  return (
    <FormDialog<Scene>
      title={scene ? `编辑场景“${scene.name}”` : '新建场景'}
      schema={Scene}
      initial={initial}
      send={send}
      onSaved={(saved) => on.onSaved(saved as Scene)}
      onClose={on.onClose}
      show={shownOf(projectId, read)}
      draft={draftOf(projectId)}
      wide
      extra={(isDirty) => (
        <Right to={rights.scene} unless={refusal || ((!scene || isDirty) && '保存后可以试运行')}>
          <Button onClick={() => scene && on.onTry(scene)}>试运行</Button>
        </Right>
      )}
    >
      <FormGroup title="场景">
        <TextItem of={Scene} name="name" />
        <Form.Item {...field(Scene, 'icon')}>
          <IconPicker own={own} />
        </Form.Item>
        <NumberItem of={Scene} name="sort" min={1} />
        <Form.Item
          name="status"
          label="启用"
          valuePropName="checked"
          getValueProps={(status) => ({ checked: status === 'enabled' })}
          normalize={(checked) => (checked ? 'enabled' : 'disabled')}
        >
          <Switch aria-label="启用" />
        </Form.Item>
      </FormGroup>
      <SceneRules {...{ projectId, read }} id={scene?.id} />
    </FormDialog>
  )
}

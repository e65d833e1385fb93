import { Button, Form, Switch } from 'antd'
import { chosenName, namedOptions } from '@iot/shared/contract/options'
import {
  dayModeText,
  Scene,
  SceneDraft,
  sceneApi,
  sceneOrderText,
  type DayMode,
  type Trigger,
} from '@iot/shared/contract/scene'
import { wordsOfDayTypes } from '@iot/shared/contract/sceneText'
import type { DayType } from '@iot/shared/contract/calendarDay'
import { rights } from '@iot/shared/contract/homeRights'
import { field } from '@iot/shared/ui/field'
import { FormDialog, FormGroup, sendTo } from '@iot/shared/ui/formDialog'
import { IconPicker } from '@iot/shared/ui/iconPicker'
import { NumberItem, TextItem } from '@iot/shared/ui/items'
import { Right } from '@iot/shared/ui/right'
import { sceneIcons } from '../SceneIcon'
import { SceneRules } from './SceneRules'
import { TriggersText } from './TriggersText'
import { draftOf } from './draft'
import { useOptions } from './useOptions'

type SceneFormProps = {
  projectId: number
  scene?: Scene
  /** Of a new one. */
  sort: number
  onSaved: (scene: Scene) => void
  onTry: (scene: Scene) => void
  onClose: () => void
}
const blank = {
  ...{ name: '', icon: 'BulbOutlined', status: 'enabled', order: 'parallel' },
  ...{ actions: [], triggers: [], calendarId: null, dayMode: 'ignore', dayTypes: [] },
  ...{ silenceMinutes: 0, quietFrom: null, quietTo: null },
} as const
const own = Object.fromEntries(
  Object.entries(sceneIcons).map(([name, { label, Icon }]) => [
    name,
    { label, icon: <Icon aria-hidden /> },
  ]),
)
const send = sendTo(sceneApi, SceneDraft.extend({ projectId: Scene.shape.projectId }), SceneDraft)
const shownOf = (projectId: number) => (name: string, value: unknown) => {
  if (name === 'actions') return `${(value as unknown[]).length} 个动作`
  if (name === 'triggers') return <TriggersText {...{ projectId }} triggers={value as Trigger[]} />
  if (name === 'calendarId') return <CalendarText {...{ projectId, value }} />
  if (name === 'dayTypes') return wordsOfDayTypes(value as DayType[])
  if (name === 'dayMode') return dayModeText[value as DayMode]
  return name === 'order' && sceneOrderText[value as SceneDraft['order']]
}
const CalendarText = ({ projectId, value }: { projectId: number; value: unknown }) => {
  const { options } = useOptions(projectId)
  return chosenName(options && namedOptions(options.calendars), value) || '项目的日历'
}

/** A scene is edited without a command being sent; 试运行 is a press of its own. */
export default function SceneForm({ projectId, scene, sort, ...on }: SceneFormProps) {
  const initial = (scene ?? { ...blank, sort, projectId }) as Scene

  return (
    <FormDialog<Scene>
      title={scene ? `编辑场景“${scene.name}”` : '新建场景'}
      schema={Scene}
      initial={initial}
      send={send}
      onSaved={(saved) => on.onSaved(saved as Scene)}
      onClose={on.onClose}
      show={shownOf(projectId)}
      draft={draftOf(projectId)}
      wide
      extra={(isDirty) => (
        <Right to={rights.scene} unless={(!scene || isDirty) && '保存后可以试运行'}>
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
      <SceneRules projectId={projectId} id={scene?.id} />
    </FormDialog>
  )
}

import type { ThingFunction } from '@iot/shared/contract/thingModel/modelDifference'
import type { ThingModel } from '@iot/shared/contract/thingModel/thingModel.schema'
import { useFeedback } from '@iot/shared/ui/feedback'
import type { ModelEditing } from './modelEditing'
import {
  countFlagged,
  moveFunction,
  setDeprecated,
  setFlag,
  removeFunctions,
} from './modelOperations'

export type ModelChanges = ReturnType<typeof useModelChanges>

/** Returns changes of the model that confirm and report themselves. */
export function useModelChanges({ carrier, change }: ModelEditing, clearSelection: () => void) {
  const { modal, message } = useFeedback()
  const changeModel = (applyChange: (model: ThingModel) => ThingModel, successMessage: string) =>
    change(applyChange).then((savedModel) => savedModel && void message.success(successMessage))
  return {
    /** Offers a deprecated function again. */
    restore: ({ identifier, name }: ThingFunction) =>
      changeModel((model) => setDeprecated(model, identifier, false), `“${name}”已恢复使用`),
    move: (thingFunction: ThingFunction, targetIdentifier: string, isBelow: boolean) =>
      changeModel(
        (model) => moveFunction(model, thingFunction, targetIdentifier, isBelow),
        `已移动“${thingFunction.name}”`,
      ),
    confirmRemove: (ids: string[], subject: string, warning?: string | false) =>
      modal.confirm({
        title: `删除${subject}？`,
        content: warning,
        okText: '删除',
        okButtonProps: { danger: true },
        onOk: async () => {
          await changeModel((model) => removeFunctions(model, ids), `${subject}已删除`)
          clearSelection()
        },
      }),
    setFlag: (ids: string[], flag: string, title: string, isOn: boolean) => {
      const flaggableCount = countFlagged(carrier.model, ids, flag)
      const skippedCount = ids.length - flaggableCount
      if (flaggableCount === 0) return void message.warning(`选中的都没有“${title}”`)
      return changeModel(
        (model) => setFlag(model, ids, flag, isOn),
        `${flaggableCount} 项已${isOn ? '设为' : '取消'}${title}${skippedCount > 0 ? `，跳过 ${skippedCount} 项：服务和事件没有“${title}”` : ''}`,
      )
    },
  }
}

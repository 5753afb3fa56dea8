/** Asked when an order would have conversations of a model in use be paid for that weren't: undo brings no money back. */
import { AffectedNotice } from '../profiles/affected.tsx'
import { useTexts } from '../text/texts.ts'
import { visible } from '../text/visible.ts'
import { Dialog } from '../ui/dialog.tsx'
import { EditForm } from '../ui/edit-form.tsx'
import { answerPayment, usePaymentQuestion } from './moves.ts'

export function PaymentQuestion() {
  const texts = useTexts()
  const { models } = texts
  const asked = usePaymentQuestion((state) => state.asked)
  if (asked === null) return null
  const { move, name, affected } = asked
  const close = () => answerPayment(false, texts)
  return (
    <Dialog title={models.paysTitle(name)} isOpen onClose={close}>
      <EditForm onSave={async () => answerPayment(true, texts)} onCancel={close} word={models.paysNow}>
        <p>{visible(models.pays(name, move.pool.model))}</p>
        <AffectedNotice answer={affected} problem={null} of="pool" />
      </EditForm>
    </Dialog>
  )
}

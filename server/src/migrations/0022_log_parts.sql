ALTER TABLE "action_log" ADD COLUMN "part" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "action_log_parts" ON "action_log" USING btree ("trace_id") WHERE "action_log"."part";
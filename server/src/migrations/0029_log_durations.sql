DROP INDEX "action_log_duration";--> statement-breakpoint
CREATE INDEX "action_log_durations" ON "action_log" USING btree ("part","duration","id");
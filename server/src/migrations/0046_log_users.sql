DROP INDEX "action_log_lines";--> statement-breakpoint
DROP INDEX "login_log_time";--> statement-breakpoint
CREATE INDEX "action_log_users" ON "action_log" USING btree ("username","part","time","id");--> statement-breakpoint
CREATE INDEX "login_log_users" ON "login_log" USING btree ("username","time","id");--> statement-breakpoint
CREATE INDEX "action_log_lines" ON "action_log" USING btree ("part","time","id","username");--> statement-breakpoint
CREATE INDEX "login_log_time" ON "login_log" USING btree ("time","id","username");
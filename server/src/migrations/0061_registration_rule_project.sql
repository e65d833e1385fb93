ALTER TABLE "registration_rule" DROP CONSTRAINT "registration_rule_productId_unique";--> statement-breakpoint
ALTER TABLE "registration_rule" ADD CONSTRAINT "registration_rule_project" UNIQUE("product_id","project_id");
